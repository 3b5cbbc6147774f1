import { connect } from 'node:tls';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { MetricsServer } from '../../../runtime/base/observability/metrics-server.ts';

test('headers that come slowly and never end are cut off', async () => {
  const server = new MetricsServer(createMetrics(), () => Promise.reject(new Error('asked')));
  const port = await server.listen(0, '127.0.0.1');
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  const more = setInterval(() => socket.write('x: y\r\n'), 200);
  try {
    const ended = new Promise((resolve) => socket.on('error', resolve).once('close', resolve));
    socket.resume().write('GET /metrics HTTP/1.1\r\nhost: node\r\n');
    await ended;
    expect(socket.destroyed).toBe(true);
  } finally {
    clearInterval(more);
    socket.destroy();
    await server.close();
  }
}, 60_000);
