/**
 * A connection that outlives a change of the rules: sends one request, waits for a line on standard input, and sends
 * another over the same connection. Prints what came back each time, or the error.
 */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const socket = connect(80, '169.254.169.254');
socket.setEncoding('utf8');
let text = '';
let printed = false;
const tell = (line: string) => {
  if (!printed) process.stdout.write(`${line}\n`);
  printed = true;
};
const ask = () => {
  text = '';
  printed = false;
  socket.write('GET /metadata/instance HTTP/1.1\r\nHost: 169.254.169.254\r\nMetadata: true\r\n\r\n');
};
socket.on('connect', ask);
socket.on('data', (part: string) => {
  text += part;
  if (text.includes('answeredBy')) tell('machine');
});
socket.on('error', (error: NodeJS.ErrnoException) => tell(error.code ?? 'error'));
socket.on('close', () => tell('closed'));
createInterface({ input: process.stdin }).on('line', () => {
  const idle = socket.destroyed;
  printed = false;
  if (idle) tell('ended while nothing was sent');
  else ask();
});
