// A tunnel as others have them: `node fake-tunnel.js URL [dies] [moves]`. It prints two addresses that are not its own
// before it leads anywhere, and its own late and behind colours.
import { createServer, request } from 'node:http';

const [target, ...how] = process.argv.slice(2);

function lead() {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const elsewhere = createServer((_, outgoing) => outgoing.end('documentation'));
await new Promise((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
process.stdout.write(
  `Read http://127.0.0.1:${elsewhere.address().port}/docs. Terms: http://127.0.0.1:9/terms\n`,
);
process.stderr.write(`forwarding to ${target}\n`);
await new Promise((resolve) => setTimeout(resolve, 150));
const first = await lead();
process.stderr.write(`\u001B[1m  http://127.0.0.1:${first.address().port} \u001B[0m\n`);
process.on('SIGUSR2', () => {
  if (how.includes('dies')) process.exit(3);
  first.closeAllConnections();
  first.close();
  void lead().then((second) => {
    process.stdout.write(`reconnected: http://127.0.0.1:${second.address().port}`);
  });
});
process.stdout.write(`pid ${process.pid}\n`);
