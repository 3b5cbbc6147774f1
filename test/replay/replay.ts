import { expect } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../runtime/api/kinds.ts';
import { armResourceModel } from '../../runtime/arm-kinds/arm-resource.ts';
import { declaredStatus } from '../../runtime/arm-kinds/body/declared-status.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { resourceProblem } from '../../runtime/azure/arm/answers.ts';
import { isObject, type JsonObject } from '../../runtime/base/json.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { waitMs } from '../fakes/eventually.ts';
import { condition } from '../operator/support.ts';
import type { Manifest } from './manifests.ts';
import { type Phase, refusal } from './phases.ts';
import { type Recording, withoutSignature } from './recording.ts';
import type { Play, Stage } from './world.ts';

/** Does what the recorded user did, and expects the recorded end, requests and waits; prints figures. */
export async function replay(stage: Stage, recording: Recording): Promise<void> {
  const play = await stage.play(recording);
  try {
    for (const step of play.steps) {
      for (const manifest of step.manifests) {
        if (step.do === 'apply') await play.apply(manifest);
        else await play.delete(manifest);
      }
      for (const [index, manifest] of step.manifests.entries()) {
        if (step.do === 'apply') await asRecorded(play, manifest, step.phases[index] as Phase, recording);
        else await gone(play, manifest);
      }
    }
  } finally {
    await play.end();
  }
  const { arm } = play;
  expect({ unexpected: arm.unexpected, missed: arm.missed(), early: arm.early }).toEqual({
    unexpected: [],
    missed: [],
    early: [],
  });
  const waits = recording.interactions.filter(({ responseHeaders }) => responseHeaders?.['Retry-After']);
  if (waits.length > 0) expect(arm.waitsKept).toBeGreaterThan(0);
  const generic = play.steps.some(({ manifests }) => manifests.some(({ type }) => type.kind === 'ArmResource'));
  const figures = [
    `${arm.fake.requests.length} requests, ${recording.interactions.length} recorded`,
    `${arm.waitsKept} waits kept`,
    ...(generic ? ['with ArmResources'] : []),
  ];
  process.stdout.write(`${recording.name}: ${figures.join('; ')}\n`);
}

async function asRecorded(play: Play, manifest: Manifest, phase: Phase, recording: Recording): Promise<void> {
  const codes = refusal(phase, recording.interactions);
  const object = await until(play, manifest, codes ? codes.join(' or ') : 'Ready', (found) => {
    const ready = condition(found);
    if (!ready || ready.observedGeneration !== found?.metadata.generation) return false;
    return codes ? codes.includes(ready.reason) : ready.status === 'True';
  });
  if (codes || !object) return;
  // Any of them: the recorded client did not read at the same moments.
  const answers = [...phase.gets, ...phase.answers].filter(({ status }) => status < 300);
  const bodies = answers.map(({ responseBody }) => responseBody).filter(isObject);
  const status = object['status'] as JsonObject;
  const wanted = bodies.map((body) => expect.objectContaining({ ...shown(manifest, body), id: expect.anything() }));
  if (bodies.length > 0)
    expect(wanted.some((each) => each.asymmetricMatch(status)) ? 'as recorded' : status).toBe('as recorded');
  for (const { responseBody } of phase.gets.filter((get) => get.status === 200)) {
    if (isObject(responseBody)) expect(resourceProblem(responseBody, String(status['id']))).toBe(undefined);
  }
}

/** The recorded resource as a status shows it. */
function shown({ type }: Manifest, body: JsonObject): JsonObject {
  const kind = kindOf(type.group, type.kind);
  const model = 'arm' in kind ? catalogueModel(kind as ArmKindDefinition) : armResourceModel;
  return declaredStatus(model.status(body), kind.arm?.status);
}

async function gone(play: Play, manifest: Manifest): Promise<void> {
  await until(play, manifest, 'gone', (object) => object === undefined);
}

async function until(
  play: Play,
  manifest: Manifest,
  what: string,
  judge: (object: KubeObject | undefined) => boolean,
): Promise<KubeObject | undefined> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const object = await play.read(manifest);
    if (judge(object)) return object;
    if (Date.now() > deadline || play.arm.unexpected.length > 0) {
      const { kind, metadata } = manifest.object;
      const seen = JSON.stringify(object?.['status']);
      const requests = play.arm.fake.requests.map(({ method, url }) => `${method} ${withoutSignature(url)}`);
      throw new Error(
        [
          `${kind} ${metadata.name} is not ${what}; its status: ${seen}`,
          ...play.arm.unexpected.map((request) => `not recorded: ${withoutSignature(request)}`),
          ...requests.slice(-20),
        ].join('\n'),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
