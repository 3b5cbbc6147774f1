/** Writes what the real Azure answers, by type, from recorded sessions and from the tests of Azure Service Operator. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isObject } from '../../runtime/base/json.ts';
import { asoModule } from '../judges/aso-module.ts';
import { learnMembers } from './learn.ts';
import { type Action, actionsOf, read } from './samples.ts';
import { learnActionShape, learnShapes } from './shapes.ts';
import { cassetteSources, type Source, sessionSources } from './sources.ts';

const target = resolve(import.meta.dirname, '../../sandbox/azure/arm/answers/generated');

function learn(sources: readonly Source[]) {
  const all = sources.map(({ name, exchanges }) => read(name, exchanges));
  const samples = Map.groupBy(
    all.flatMap((one) => one.samples),
    ({ type }) => type,
  );
  const writes = Map.groupBy(
    all.flatMap((one) => one.writes),
    ({ type }) => type,
  );
  const actions = Map.groupBy(
    sources.flatMap(({ name, exchanges }) => actionsOf(name, exchanges)),
    ({ type }) => type,
  );
  const types = [...new Set([...samples.keys(), ...writes.keys(), ...actions.keys()])].sort();
  return Object.fromEntries(
    types.map((type) => {
      const of = samples.get(type) ?? [];
      const versions = [...new Set([...of, ...(writes.get(type) ?? [])].map(({ apiVersion }) => apiVersion))].sort();
      const etags = of.filter(({ answer }) => typeof answer['etag'] === 'string');
      const isWeak = etags.some(({ answer }) => String(answer['etag']).startsWith('W/'));
      return [
        type,
        {
          versions,
          ...learnShapes(writes.get(type) ?? []),
          ...(etags.length > of.length / 2 && { etag: isWeak ? 'weak' : 'plain' }),
          members: learnMembers(of),
          ...(actions.has(type) && { actions: learnActions(actions.get(type) ?? []) }),
        },
      ];
    }),
  );
}

/** The POST actions of a type: shape, members of the answer, and members of the body at the operation's end. */
function learnActions(actions: readonly Action[]): object {
  const bodies = (of: readonly Action[], bodyOf: (action: Action) => unknown) =>
    learnMembers(
      of.flatMap((action) => {
        const body = bodyOf(action);
        const { source, type, id, exchange } = action;
        const sample = { source, type, apiVersion: exchange.apiVersion, request: {} };
        return isObject(body) ? [{ ...sample, answer: { ...body, id } }] : [];
      }),
    );
  const byName = [...Map.groupBy(actions, ({ name }) => name)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    byName.map(([name, of]) => {
      const answer = bodies(of, ({ exchange }) => exchange.answer);
      const result = bodies(of, (action) => action.result);
      const some = (members: object) => Object.keys(members).length > 0;
      return [name, { shape: learnActionShape(of), ...(some(answer) && { answer }), ...(some(result) && { result }) }];
    }),
  );
}

function write(name: string, content: object): void {
  const lines = Object.entries(content).map(([type, data]) => `${JSON.stringify(type)}: ${JSON.stringify(data)}`);
  writeFileSync(resolve(target, name), `{\n${lines.join(',\n')}\n}\n`);
}

mkdirSync(target, { recursive: true });
write('older.json', learn(sessionSources(resolve(process.env['AZIMUTH_SESSIONS'] ?? '../shared/sessions'))));
const module = asoModule();
if (module !== undefined) write('newer.json', learn(cassetteSources(module)));
