import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { ConnectionLimits, connectionsFor } from '../../runtime/secrets/http/connection-limits.ts';

const mebibyte = 1_048_576;
let port = 0;

/** Opens connections of an address; returns those that are open when it ends. */
function world(connections: number) {
  let refused = 0;
  const limits = new ConnectionLimits(connections, () => refused++);
  const open = (remoteAddress: string, secured = true) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, remotePort: ++port, destroyed: false, destroy });
    function destroy() {
      socket.destroyed = true;
      socket.emit('close');
    }
    limits.connected(socket as unknown as Socket);
    if (secured && !socket.destroyed) limits.secured(socket as unknown as Socket);
    return socket;
  };
  return {
    open,
    many: (count: number, address: string, secured = true) =>
      Array.from({ length: count }, () => open(address, secured)),
    refused: () => refused,
    limits,
  };
}
const isOpen = ({ destroyed }: { destroyed: boolean }) => !destroyed;

test('a larger heap has more connections, up to 10,000', () => {
  expect(connectionsFor(275 * mebibyte)).toBe(1466);
  expect(connectionsFor(550 * mebibyte)).toBe(2933);
  expect(connectionsFor(64 * 1024 * mebibyte)).toBe(10_000);
});

test('an address has half of the connections, and at the total the one with most loses its oldest', () => {
  const { many, open, refused } = world(40);
  const first = many(25, '192.0.2.1');
  expect(first.filter(isOpen)).toHaveLength(20);
  expect(many(20, '192.0.2.2').every(isOpen)).toBe(true);
  expect(refused()).toBe(5);
  expect(isOpen(open('192.0.2.3'))).toBe(true);
  expect(refused()).toBe(6);
  expect(first.slice(0, 20).filter(isOpen)).toHaveLength(19);
  expect(isOpen(first[0] as (typeof first)[0])).toBe(false);
});

test('a quarter of the connections may be in a handshake, half of these from one address', () => {
  const { many } = world(40);
  const first = many(8, '192.0.2.1', false);
  expect(first.filter(isOpen)).toHaveLength(5);
  const second = many(5, '192.0.2.2', false);
  expect(second.every(isOpen)).toBe(true);
  // Who has ended its handshake leaves its place, and other addresses go on.
  expect(many(10, '192.0.2.3').every(isOpen)).toBe(true);
  // Each of them took the place of a handshake of the address with most.
  expect([first, second].map((each) => each.filter(isOpen).length)).toEqual([4, 5]);
  for (const socket of second) socket.destroy();
  expect(many(5, '192.0.2.4', false).every(isOpen)).toBe(true);
});

test('a connection that is gone when it is accepted, or whose address and port a later one has, leaves its place', () => {
  const { many, limits } = world(40);
  const gone = () =>
    Object.assign(new EventEmitter(), { remoteAddress: undefined, remotePort: undefined, destroy() {} });
  const sockets = Array.from({ length: 8 }, gone);
  for (const socket of sockets) limits.connected(socket as unknown as Socket);
  for (const socket of sockets) socket.emit('close');
  const again = () => Object.assign(new EventEmitter(), { remoteAddress: '192.0.2.1', remotePort: 1, destroy() {} });
  const same = Array.from({ length: 5 }, again);
  for (const socket of same) limits.connected(socket as unknown as Socket);
  for (const socket of same) socket.emit('close');
  const first = many(5, '192.0.2.1', false);
  expect(many(5, '192.0.2.2', false).every(isOpen)).toBe(true);
  expect(first.every(isOpen)).toBe(true);
});
