import { describe, expect, test } from '@jest/globals';
import { assignedFinalizer, assignedObject } from '../../../runtime/identity/assignments/assigned-object.ts';
import type { Desired } from '../../../runtime/identity/assignments/desired.ts';
import { type Attachment, nextStep, type View } from '../../../runtime/identity/assignments/next-step.ts';
import {
  type Claim,
  claimOf,
  claimsAnnotation,
  machineAnnotation,
} from '../../../runtime/identity/machines/attachment-reference.ts';
import type { Assigned, AssignedState } from '../../../runtime/identity/objects.ts';

const compute = '/subscriptions/s/resourceGroups/nodes/providers/Microsoft.Compute';
const vm = (name: string) => `${compute}/virtualMachines/${name}`;
const id = (name: string) =>
  `/subscriptions/s/resourceGroups/r/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

interface Wish {
  readonly identity?: string;
  readonly node?: string;
  /** Undefined: the node is not known. */
  readonly machine?: string | undefined;
  readonly type?: number;
}

/** What the pod `web` shall have: identity `a` by the machine `m1` unless said otherwise. */
function wish({ identity: name = 'a', node = 'n1', type = 0, ...rest }: Wish = {}): Desired {
  const machineName = 'machine' in rest ? rest.machine : 'm1';
  const machine = machineName === undefined ? undefined : ({ id: vm(machineName), kind: 'vm' } as const);
  const attachable = type === 0;
  return {
    key: 'default/web-app-id',
    pod: { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'app', name: 'web' } },
    binding: { apiVersion: '', kind: '', metadata: { namespace: 'default', name: 'b' }, spec: { selector: 's' } },
    identity: {
      apiVersion: '',
      kind: '',
      metadata: { namespace: 'default', name: 'id' },
      spec: { type, ...(attachable && { resourceID: id(name) }), clientID: name },
    },
    node,
    machine: attachable ? machine : undefined,
    claim: attachable && machine ? claimOf(machine.id, id(name), name) : undefined,
    region: '',
    attachable,
  };
}

const claim = (name: string, machine = 'm1') => claimOf(vm(machine), id(name), name);
const stored = (state: AssignedState, desired = wish(), claims: Claim[] = []) => assignedObject(desired, state, claims);

/** `attached` and `unknown` as `identity@machine`; everything else is detached. */
function view({
  attached = [] as string[],
  unknown = [] as string[],
  held = [] as string[],
  immutable = [] as string[],
}): View {
  const text = ({ machine, identity }: Claim) => `${identity.split('/').at(-1)}@${machine.split('/').at(-1)}`;
  const attachment = (each: Claim): Attachment =>
    attached.includes(text(each)) ? 'attached' : unknown.includes(text(each)) ? 'unknown' : 'detached';
  return {
    attachment,
    heldByOthers: (each) => held.includes(text(each)),
    immutable: (each) => immutable.includes(text(each)),
    machineOf: (node) => (node === 'n1' ? { id: vm('m1'), kind: 'vm' } : undefined),
  };
}

/** A step in words: what is written, the state it leaves, and the claims besides the object's own. */
function told(
  current: Assigned | undefined,
  desired: Desired | undefined,
  seen: Parameters<typeof view>[0] = {},
): string {
  const step = nextStep(current, desired, view(seen));
  if (step.kind === 'none' || step.kind === 'wait') return step.kind;
  if (step.kind === 'finish') return step.nodeGone ? 'finish: node gone' : 'finish';
  const body = (step.kind === 'patch' ? step.body : step.object) as Assigned;
  const { annotations = {}, finalizers } = body.metadata ?? {};
  const claims = (JSON.parse(annotations[claimsAnnotation] ?? '[]') as Claim[]).map(
    ({ identity, machine }) => `${identity.split('/').at(-1)}@${machine.split('/').at(-1)}`,
  );
  const said = [
    ...(body.status?.status === undefined ? [] : [body.status.status]),
    ...(body.spec?.nodename ? [`on ${body.spec.nodename}`] : []),
    ...(step.kind === 'patch' && annotations[machineAnnotation] ? ['machine'] : []),
    ...(step.kind === 'patch' && finalizers?.includes(assignedFinalizer) ? ['finalizer'] : []),
    ...(claims.length > 0 ? [`claims ${claims.join(' ')}`] : []),
    ...(annotations[claimsAnnotation] === null ? ['no claims'] : []),
  ];
  return `${step.kind}: ${said.join(', ')}`;
}

describe('an assignment that is wanted', () => {
  test.each<[string, Assigned | undefined, Desired, Parameters<typeof view>[0], string]>([
    ['is made before anything is attached', undefined, wish(), {}, 'create: Created, on n1'],
    [
      'is made whole where its identity is attached',
      undefined,
      wish(),
      { attached: ['a@m1'] },
      'create: Assigned, on n1',
    ],
    ['is made whole where nothing is to be attached', undefined, wish({ type: 1 }), {}, 'create: Assigned, on n1'],
    ['is made on a node that is not known', undefined, wish({ machine: undefined }), {}, 'create: Created, on n1'],
    ['is left alone as it should be', stored('Assigned'), wish(), { attached: ['a@m1'] }, 'none'],
    ['stays Assigned while what was removed comes back', stored('Assigned'), wish(), {}, 'none'],
    ['waits for its machine', stored('Created'), wish(), {}, 'wait'],
    ['becomes Assigned', stored('Created'), wish(), { attached: ['a@m1'] }, 'patch: Assigned'],
    ['begins anew from Unassigned', stored('Unassigned'), wish(), {}, 'patch: Created'],
    ['serves on as an old release left it', stored(''), wish(), {}, 'wait'],
    ['becomes Assigned from that', stored(''), wish(), { attached: ['a@m1'] }, 'patch: Assigned'],
    [
      'drops claims that are released',
      stored('Assigned', wish(), [claim('b')]),
      wish(),
      { attached: ['a@m1'] },
      'patch: no claims',
    ],
    [
      'keeps claims that are not',
      stored('Assigned', wish(), [claim('b')]),
      wish(),
      { attached: ['a@m1', 'b@m1'] },
      'wait',
    ],
    [
      'is told its machine where the node was not known',
      stored('Created', wish({ machine: undefined })),
      wish(),
      {},
      'patch: machine',
    ],
  ])('%s', (_, current, desired, seen, expected) => {
    expect(told(current, desired, seen)).toBe(expected);
  });

  test('gets back a finalizer that somebody took', () => {
    const current = stored('Assigned');
    const { finalizers: _, ...metadata } = current.metadata;
    expect(told({ ...current, metadata }, wish(), { attached: ['a@m1'] })).toBe('patch: finalizer');
  });
});

describe('another identity', () => {
  const b = wish({ identity: 'b' });
  test.each<[string, Assigned, Desired, Parameters<typeof view>[0], string]>([
    ['is claimed first, and the old one serves', stored('Assigned'), b, { attached: ['a@m1'] }, 'patch: claims b@m1'],
    ['is waited for', stored('Assigned', wish(), [claim('b')]), b, { attached: ['a@m1'] }, 'wait'],
    [
      'takes over once it is attached; the old one is then to be detached',
      stored('Assigned', wish(), [claim('b')]),
      b,
      { attached: ['a@m1', 'b@m1'] },
      'replace: Assigned, on n1, claims a@m1',
    ],
    [
      'takes over at once where it is attached and the old one is held by others',
      stored('Assigned'),
      b,
      { attached: ['a@m1', 'b@m1'], held: ['a@m1'] },
      'replace: Assigned, on n1',
    ],
    ['takes over at once where the old one never served', stored('Created'), b, {}, 'replace: Created, on n1'],
    [
      'that needs no machine takes over at once',
      stored('Assigned'),
      wish({ type: 1 }),
      { attached: ['a@m1'] },
      'replace: Assigned, on n1, claims a@m1',
    ],
    ['is claimed while a credential serves', stored('Assigned', wish({ type: 1 })), wish(), {}, 'patch: claims a@m1'],
    ['waits while the node is not known', stored('Assigned'), wish({ identity: 'b', machine: undefined }), {}, 'wait'],
  ])('%s', (_, current, desired, seen, expected) => {
    expect(told(current, desired, seen)).toBe(expected);
  });
});

describe('a pod of the same name elsewhere', () => {
  const attached = { attached: ['a@m1'] };
  test('is not served by what the old one had, which is to be detached', () => {
    expect(told(stored('Assigned'), wish({ node: 'n2', machine: 'm2' }), attached)).toBe(
      'replace: Created, on n2, claims a@m1',
    );
  });

  test('is served where it is attached already', () => {
    const both = { attached: ['a@m1', 'a@m2'] };
    expect(told(stored('Assigned'), wish({ node: 'n2', machine: 'm2' }), both)).toBe(
      'replace: Assigned, on n2, claims a@m1',
    );
  });

  test('on another node of one scale set is served on', () => {
    expect(told(stored('Assigned'), wish({ node: 'n2' }), {})).toBe('replace: Assigned, on n2');
  });

  test('on a node of that name that is another machine begins anew, with its new identity too', () => {
    expect(told(stored('Assigned'), wish({ machine: 'm2' }), attached)).toBe('replace: Created, on n1, claims a@m1');
    expect(told(stored('Assigned'), wish({ machine: 'm2', identity: 'b' }), attached)).toBe(
      'replace: Created, on n1, claims a@m1',
    );
  });

  test('with another identity begins anew', () => {
    expect(told(stored('Assigned'), wish({ node: 'n2', identity: 'b' }), attached)).toBe(
      'replace: Created, on n2, claims a@m1',
    );
  });
});

describe('an assignment that nobody wants', () => {
  test.each<[string, Assigned | undefined, Parameters<typeof view>[0], string]>([
    ['needs nothing when there is none', undefined, {}, 'none'],
    ['waits until its identity is detached', stored('Assigned'), { attached: ['a@m1'] }, 'wait'],
    ['waits while that is not known', stored('Assigned'), { unknown: ['a@m1'] }, 'wait'],
    ['ends then', stored('Assigned'), {}, 'finish'],
    ['ends where others need the identity', stored('Assigned'), { attached: ['a@m1'], held: ['a@m1'] }, 'finish'],
    ['ends where it is never detached', stored('Assigned'), { attached: ['a@m1'], immutable: ['a@m1'] }, 'finish'],
    ['waits for its other claims', stored('Assigned', wish(), [claim('b')]), { attached: ['b@m1'] }, 'wait'],
    ['ends from Unassigned', stored('Unassigned'), { attached: ['a@m1'] }, 'finish'],
    ['ends where nothing was attached', stored('Assigned', wish({ type: 2 })), {}, 'finish'],
    ['learns its machine first', stored('Assigned', wish({ machine: undefined })), {}, 'patch: machine'],
    ['ends with its node', stored('Assigned', wish({ machine: undefined, node: 'n9' })), {}, 'finish: node gone'],
  ])('%s', (_, current, seen, expected) => {
    expect(told(current, undefined, seen)).toBe(expected);
  });

  test('is only deleted where somebody took its finalizer', () => {
    const current = stored('Assigned');
    const metadata = { ...current.metadata, finalizers: [] };
    expect(told({ ...current, metadata }, undefined, { attached: ['a@m1'] })).toBe('finish');
    const going = { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(told({ ...current, metadata: going }, undefined)).toBe('none');
  });
});

describe('an assignment that somebody deletes though it is wanted', () => {
  const deleted = (current: Assigned): Assigned => ({
    ...current,
    metadata: { ...current.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  });

  test('goes at once, and its identity stays attached', () => {
    expect(told(deleted(stored('Assigned')), wish(), { attached: ['a@m1'] })).toBe('finish');
  });

  test('waits for what is not wanted any more', () => {
    expect(told(deleted(stored('Assigned')), wish({ identity: 'b' }), { attached: ['a@m1'] })).toBe('wait');
  });
});
