/**
 * The node agent in a process of its own: `killed-agent.ts SETTINGS SOCKET`, for a node with one pod. It tells its parent
 * when it listens, and each step of a refresh; before the step whose number is in KILL_AT it ends by SIGKILL.
 */
import { systemClock } from '../../../runtime/base/clock.ts';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { silentLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { createVolumesAgent } from '../../../runtime/volumes/agent/agent.ts';
import { type AgentConfig, agentConfig } from '../../../runtime/volumes/agent/config.ts';
import { settingsWithAgent } from '../../../runtime/volumes/install/watch-driver.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import { putPod } from './harness.ts';

const [file = '', socket = ''] = process.argv.slice(2);
const { text, settings } = settingsWithAgent(file, socket);
Object.assign(process.env, settings.environment);
const config = agentConfig(['--node=n1', `--socket=${socket}`, '--install=false'], {}) as AgentConfig;
const metrics = createMetrics();
const health = new HealthServer(metrics);
const kube = new LocalKube();
await putPod(kube);
const manager = new Manager(
  { client: kube, clock: systemClock, log: silentLogger, metrics },
  { name: 'volumes', health },
);
let steps = 0;
const step = (name: string) => {
  if (steps++ === Number(process.env['KILL_AT'])) process.kill(process.pid, 'SIGKILL');
  process.send?.({ step: name });
};
const refresh = { intervalMs: 100, scanMs: 20, step };
const agent = createVolumesAgent({ config, settings, settingsText: text, env: process.env, manager, health, refresh });
const stop = new AbortController();
process.on('message', () => stop.abort(new Error('the test has ended')));
process.on('disconnect', () => process.exit(0));
const running = agent.run(stop.signal);
await agent.listening;
process.send?.('listening');
await running;
process.send?.({ events: kube.all(eventsType).map(({ reason }) => reason) });
process.disconnect?.();
