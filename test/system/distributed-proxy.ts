// A TCP relay that can be cut: connections stay open and nothing passes, as when a cable is pulled.
import { createConnection, createServer, type Socket } from 'node:net';

export interface Relay {
  readonly port: number;
  readonly cut: () => void;
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

export async function openRelay(target: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = createConnection(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (isCut) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    // What was under way is lost for good: the old connections end, new ones pass.
    heal: () => {
      isCut = false;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
