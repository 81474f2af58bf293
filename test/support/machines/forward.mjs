// Joins the sockets of two network namespaces, which share the file system alone: takes connections at one place and passes
// their bytes on to the other. A place is a path of a UNIX socket, or a port of loopback. Prints its port, or its path.
import { connect, createServer } from 'node:net';

const [from, to] = process.argv
  .slice(2)
  .map((place) => (/^\d+$/.test(place) ? { host: '127.0.0.1', port: Number(place) } : { path: place }));

const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ ...to, allowHalfOpen: true });
  near.pipe(far).pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(from, () => process.stdout.write(`${server.address().port ?? server.address()}\n`));
