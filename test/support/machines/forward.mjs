// Joins the sockets of two network namespaces, which share the file system alone: takes connections at one place and passes
// their bytes on to the other. A place is a path of a UNIX socket, or a port of loopback.
import { connect, createServer } from 'node:net';

const [from, to] = process.argv.slice(2).map((place) => (/^\d+$/.test(place) ? Number(place) : place));
const endpointOf = (place) => (typeof place === 'number' ? { host: '127.0.0.1', port: place } : { path: place });

createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ ...endpointOf(to), allowHalfOpen: true });
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
}).listen(endpointOf(from), () => process.stdout.write('ready\n'));
