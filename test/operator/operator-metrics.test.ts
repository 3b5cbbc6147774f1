import { expect, test } from '@jest/globals';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { operatorMetrics } from '../../runtime/operator/operator-metrics.ts';

test('kinds of one name in two groups are counted apart', async () => {
  const registry = createMetrics();
  const metrics = operatorMetrics(registry);
  const [bus, hub] = ['servicebus.azure.com', 'eventhub.azure.com'].map((group) => ({ group, kind: 'Namespace' }));
  if (!bus || !hub) throw new Error('two kinds');
  metrics.state(bus, 'a', 'Polling');
  metrics.state(hub, 'b', 'Succeeded');
  metrics.state(bus, 'a', 'Succeeded');
  metrics.state(hub, 'b', undefined);
  metrics.request(bus, 'PUT', '200');
  metrics.vaultRequest(hub, 'GET', 200);
  metrics.ready(hub, 3);
  const text = await registry.metrics();
  const lines = text.split('\n').filter((line) => line.includes('kind="Namespace"') && !line.includes('_bucket'));
  const label = ({ group, kind }: typeof bus) => `group="${group}",kind="${kind}"`;
  expect(lines.sort()).toEqual(
    [
      `azimuth_operator_arm_requests_total{${label(bus)},request="PUT",code="200"} 1`,
      `azimuth_operator_operations_in_flight{${label(bus)}} 0`,
      `azimuth_operator_resources{${label(bus)},state="Polling"} 0`,
      `azimuth_operator_resources{${label(bus)},state="Succeeded"} 1`,
      `azimuth_operator_resources{${label(hub)},state="Succeeded"} 0`,
      `azimuth_operator_time_to_ready_seconds_count{${label(hub)}} 1`,
      `azimuth_operator_time_to_ready_seconds_sum{${label(hub)}} 3`,
      `azimuth_operator_vault_requests_total{${label(hub)},request="GET",code="200"} 1`,
    ].sort(),
  );
});
