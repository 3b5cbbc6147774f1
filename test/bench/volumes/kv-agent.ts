/** The node agent in a process of its own, for the bench: `kv-agent.ts SETTINGS SOCKET`. Tells its CPU time when asked. */
import { systemClock } from '../../../runtime/base/clock.ts';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { silentLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { createVolumesAgent } from '../../../runtime/volumes/agent/agent.ts';
import { type AgentConfig, agentConfig } from '../../../runtime/volumes/agent/config.ts';
import { settingsWithAgent } from '../../../runtime/volumes/install/watch-driver.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const [file = '', socket = ''] = process.argv.slice(2);
const { text, settings } = settingsWithAgent(file, socket);
Object.assign(process.env, settings.environment);
const config = agentConfig(['--node=n', `--socket=${socket}`, '--install=false'], {}) as AgentConfig;
const metrics = createMetrics();
const health = new HealthServer(metrics);
const runtime = { client: new LocalKube(), clock: systemClock, log: silentLogger, metrics };
const manager = new Manager(runtime, { name: 'volumes', health });
const agent = createVolumesAgent({ config, settings, settingsText: text, env: process.env, manager, health });
const stop = new AbortController();
const running = agent.run(stop.signal);
await agent.listening;
process.send?.('ready');
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
process.on('disconnect', () => stop.abort(new Error('the bench has ended')));
await running;
process.exit(0);
