import { expect, test } from '@jest/globals';
import type { RecordedRequest } from '../../sandbox/sessions/session.ts';
import { judgedPuts } from '../../tools/judges/sessions/operator.ts';

const path = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/publicIPAddresses/ip';
const send = (method: string, properties: object): RecordedRequest => ({
  method,
  path,
  query: 'api-version=2024-03-01',
  status: 200,
  body: { location: 'westus', properties },
});
const read = (properties: object): RecordedRequest => ({
  method: 'GET',
  path,
  query: 'api-version=2024-03-01',
  status: 200,
  answer: { id: path, location: 'West US', properties },
});
const judged = (...requests: RecordedRequest[]) => judgedPuts({ name: 'one', requests });
const declared = { idleTimeoutInMinutes: 4, publicIPAllocationMethod: 'Static' };

test('a PUT that Azure shows otherwise is sent once, while its answers stay as they are', () => {
  const shown = { ...declared, idleTimeoutInMinutes: 5 };
  const [put] = judged(send('PUT', declared), read(shown), read({ ...shown, ipAddress: '20.0.0.1' }));
  expect(put).toMatchObject({ differences: ['properties.idleTimeoutInMinutes different'], again: [] });
  const [other] = judged(send('PUT', declared), read(shown), read({ ...shown, idleTimeoutInMinutes: 6 }));
  expect(other?.again).toEqual(['properties.idleTimeoutInMinutes different']);
});

test("somebody else's write is seen by the first answer that shows it, and not missed by one that comes too early", () => {
  const [other, later] = [{ ...declared, idleTimeoutInMinutes: 10 }, read({ ...declared, idleTimeoutInMinutes: 10 })];
  expect(judged(send('PUT', declared), read(declared), send('PATCH', other), read(declared), later)[0]).toMatchObject({
    type: 'Microsoft.Network/publicIPAddresses',
    sawChange: true,
  });
  const [missed] = judged(send('PUT', declared), read(declared), send('PUT', other), read(declared));
  expect(missed?.sawChange).toBe(false);
});
