// Run ids that sort by time, are readable and never collide.
import { randomBytes } from 'node:crypto';

/** `20261130-172839-3fa9c01b-5d2e`: UTC date and time, start of the plan digest, random part. */
export function newRunId(planDigest: string, now: Date): string {
  const digits = now.toISOString().replace(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${planDigest.slice(0, 8)}-${randomBytes(2).toString('hex')}`;
}
