// Who may talk to the viewer: the right host name (against DNS rebinding), the right origin (against other sites in the same
// browser), and whoever has the token that was printed in the terminal.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

export interface GuardOptions {
  readonly token: string;
  /** The port is known only when the server listens. */
  readonly port: () => number;
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/** Cookies do not know ports: the name does, so that two viewers do not log each other out. */
const cookieName = (port: number): string => `slmbench_view_${port}`;

export function allowedHosts(port: number): readonly string[] {
  return loopbackNames.map((name) => `${name}:${port}`);
}

function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function refuse(context: Context, status: 401 | 403, error: string): Response {
  return context.json({ error }, status);
}

/** Refuses any Host but this server's own loopback names. */
export function checkHost({ port }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')?.toLowerCase() ?? '';
    if (!allowedHosts(port()).includes(host)) return refuse(context, 403, 'this host name is not served');
    return next();
  };
}

/** Refuses requests that another site started; writes must name their origin. */
export function checkOrigin({ port }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
    const origin = context.req.header('origin');
    const site = context.req.header('sec-fetch-site');
    const isOwn = origin !== undefined && allowedHosts(port()).some((host) => origin === `http://${host}`);
    if (origin !== undefined ? !isOwn : !isRead) return refuse(context, 403, 'requests of other origins are not served');
    // A link may lead here from anywhere; only data is kept from other sites.
    if (context.req.path.startsWith('/api/') && site !== undefined && site !== 'same-origin' && site !== 'none')
      return refuse(context, 403, 'requests of other sites are not served');
    return next();
  };
}

/** Takes the token of the first visit into a cookie and out of the address; afterwards the cookie is asked for. */
export function checkToken({ token, port }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const given = context.req.query('token');
    if (given !== undefined && context.req.path === '/') {
      if (!sameSecret(given, token)) return refuse(context, 401, 'wrong token: use the address that the terminal shows');
      setCookie(context, cookieName(port()), token, { httpOnly: true, sameSite: 'Strict', path: '/' });
      return context.redirect('/', 303);
    }
    const cookie = getCookie(context, cookieName(port())) ?? '';
    const bearer = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
    if (!sameSecret(cookie, token) && !sameSecret(bearer, token))
      return refuse(context, 401, 'no token: open the address that the terminal shows');
    return next();
  };
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function secureHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set('Content-Security-Policy', policy);
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('Referrer-Policy', 'no-referrer');
    headers.set('X-Frame-Options', 'DENY');
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}
