// A service that costs next to nothing: it takes every registration with {"ok":true}, and lists what it took.
// Its argument is the answer to GET /event. It prints its port.
import { createServer } from 'node:http';

const [event] = process.argv.slice(2);
const taken = [];

function listAnswer(url) {
  const query = new URL(url, 'http://localhost').searchParams;
  const perPage = Number(query.get('per_page') ?? 100);
  const page = Number(query.get('page') ?? 1);
  const data = taken.slice((page - 1) * perPage, page * perPage).join(',');
  return `{"data":[${data}],"total":${taken.length}}`;
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.method !== 'POST') {
    response.end(request.url.includes('/registration') ? listAnswer(request.url) : event);
    return;
  }
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => {
    taken.push(Buffer.concat(pieces).toString());
    response.end('{"ok":true}');
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
