import { join } from 'node:path';
import { Writable } from 'node:stream';
import { systemClock } from '../../../runtime/base/clock.ts';
import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { type AgentDeps, createVolumesAgent, type VolumesAgent } from '../../../runtime/volumes/agent/agent.ts';
import { type AgentConfig, agentConfig } from '../../../runtime/volumes/agent/config.ts';
import { podsType } from '../../../runtime/volumes/agent/pods.ts';
import { settingsWithAgent } from '../../../runtime/volumes/install/watch-driver.ts';
import { eventually, reportLog } from '../../fakes/eventually.ts';
import { LocalKube } from '../../fakes/local-kube.ts';
import type { VolumeBench } from '../support.ts';

export interface AgentHarness extends AsyncDisposable {
  readonly kube: LocalKube;
  readonly agent: VolumesAgent;
  readonly socket: string;
  readonly log: Record<string, unknown>[];
  metrics(): Promise<string>;
  events(): KubeObject[];
  stop(): Promise<void>;
}

export interface AgentHarnessOptions {
  readonly args?: readonly string[];
  readonly kube?: LocalKube;
  readonly pods?: AgentDeps['pods'];
  readonly refresh?: AgentDeps['refresh'];
  /** @default socketOf(bench) */
  readonly socket?: string;
}

/** Where the agents of a bench listen. */
export const socketOf = (bench: VolumeBench) => join(bench.directory, 'agent', 'agent.sock');

/** The agent in this process, on the settings of the bench. */
export async function startAgent(bench: VolumeBench, options: AgentHarnessOptions = {}): Promise<AgentHarness> {
  const { kube = new LocalKube(), socket = socketOf(bench) } = options;
  const args = ['--node=n1', `--socket=${socket}`, '--install=false', `--settings=${bench.settingsFile}`];
  const config = agentConfig([...args, ...(options.args ?? [])], {}) as AgentConfig;
  const { text, settings } = settingsWithAgent(bench.settingsFile, socket);
  // As the program does it: which authorities are trusted is read from there.
  const before = { ...process.env };
  Object.assign(process.env, settings.environment);
  const metrics = createMetrics();
  const log: Record<string, unknown>[] = [];
  const endReports = reportLog(log);
  const destination = new Writable({
    write(chunk, _encoding, done) {
      log.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  const logger = createLogger('volumes', { destination, level: 'debug' });
  const health = new HealthServer(metrics);
  const runtime = { client: kube, clock: systemClock, log: logger, metrics };
  const manager = new Manager(runtime, { name: 'volumes', health });
  const pods = options.pods ?? { waitMs: 500 };
  const env = { PATH: process.env['PATH'] };
  const refresh = { scanMs: 20, random: () => 0.5, ...options.refresh };
  const agent = createVolumesAgent({ config, settings, settingsText: text, env, manager, health, pods, refresh });
  const stop = new AbortController();
  const running = agent.run(stop.signal);
  running.catch(() => undefined);
  await agent.listening;
  await eventually('the pods are read', () => agent.pods.current);
  const end = async () => {
    endReports();
    stop.abort(new Error('the test has ended'));
    await running.catch(() => undefined);
    for (const name of Object.keys(settings.environment)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  };
  return {
    kube,
    agent,
    socket,
    log,
    metrics: () => metrics.metrics(),
    events: () => kube.all(eventsType),
    stop: end,
    [Symbol.asyncDispose]: end,
  };
}

/** A pod of the node; the first one has the uid `uid-1`. */
export function putPod(kube: LocalKube, change: Partial<KubeObject['metadata']> = {}): Promise<KubeObject> {
  return kube.put(podsType, {
    metadata: { name: 'web-0', namespace: 'shop', uid: `uid-${kube.all(podsType).length + 1}`, ...change },
    spec: { nodeName: 'n1' },
    status: { phase: 'Pending' },
  });
}
