// A web server that answers nothing of use and remembers who came: what must not be fetched is linked to it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorder {
  /** Such as http://127.0.0.1:1234 */
  origin: string;
  /** Method and path of every request so far. */
  seen: string[];
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
