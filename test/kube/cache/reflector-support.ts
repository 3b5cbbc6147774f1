/** What the tests of the reflector share: a fake API server for each test, and reflectors that end with it. */
import { afterEach, beforeEach } from '@jest/globals';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { CacheChange, ReflectorOptions } from '../../../runtime/kube/cache/types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { runtimeOf, widget, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

export let kube: LocalKube;
export let stop: AbortController;
export let running: Promise<unknown>[];

/** Gives each test of the file a server of its own, and ends the reflectors after it. */
export function useLocalKube(): void {
  beforeEach(() => {
    kube = new LocalKube();
    stop = new AbortController();
    running = [];
  });

  afterEach(async () => {
    stop.abort();
    await Promise.all(running);
  });
}

export const fast = { initialMs: 1, maxMs: 5 };

export function start(options: Partial<ReflectorOptions> = {}): { reflector: Reflector; changes: string[] } {
  const reflector = new Reflector(runtimeOf(kube), { type: widgets, backoff: fast, ...options });
  const changes: string[] = [];
  reflector.onChange((change) => changes.push(text(change)));
  running.push(reflector.run(stop.signal));
  return { reflector, changes };
}

export function text(change: CacheChange): string {
  return `${change.type} ${(change.type === 'deleted' ? change.old : change.object).metadata.name}`;
}

export const names = (objects: KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();

export async function create(...created: string[]): Promise<void> {
  for (const name of created) await kube.create(widgets, widget(name, { size: 1 }));
}
