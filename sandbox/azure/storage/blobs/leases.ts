import type { Reply } from '../../exchange.ts';
import { header, type StorageCall } from '../call.ts';
import type { Lease } from '../containers.ts';
import { invalidValue, refuse } from '../xml.ts';

/** What has a lease: a blob, or the data of a container. */
export interface Leased {
  lease?: Lease;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The state of a lease, as answers name it. */
export function leaseState({ lease }: Leased, now: number): 'available' | 'leased' | 'expired' | 'breaking' | 'broken' {
  if (!lease) return 'available';
  const isOver = lease.endsAt !== undefined && lease.endsAt <= now;
  if (lease.broken) return isOver ? 'broken' : 'breaking';
  return isOver ? 'expired' : 'leased';
}

/** Whether somebody else may not write. */
export const isLocked = (leased: Leased, now: number): boolean =>
  ['leased', 'breaking'].includes(leaseState(leased, now));

/** Headers or members about a lease. */
export function leaseStatus(leased: Leased, now: number) {
  const state = leaseState(leased, now);
  const duration = state === 'leased' ? { duration: leased.lease?.seconds === -1 ? 'infinite' : 'fixed' } : {};
  return { status: isLocked(leased, now) ? 'locked' : 'unlocked', state, ...duration };
}

/** Throws Azure's refusal of a write without the lease that there is. Reads need the right one only if they name one. */
export function requireLease(call: StorageCall, leased: Leased, what: 'Blob' | 'Container', isWrite = true): void {
  const given = header(call, 'x-ms-lease-id');
  const isLeased = isLocked(leased, call.now);
  if (given === undefined) {
    if (isLeased && isWrite) {
      const message = `There is currently a lease on the ${what.toLowerCase()} and no lease ID was specified in the request.`;
      throw refuse(412, 'LeaseIdMissing', message);
    }
    return;
  }
  if (!isLeased) {
    const message = `There is currently no lease on the ${what.toLowerCase()}.`;
    throw refuse(412, `LeaseNotPresentWith${what}Operation`, message);
  }
  if (given.toLowerCase() !== leased.lease?.id.toLowerCase()) throw mismatch(what, 'Operation', 412);
}

const mismatch = (what: string, operation: string, status: number) =>
  refuse(
    status,
    `LeaseIdMismatchWith${operation === 'Lease' ? 'Lease' : what}Operation`,
    `The lease ID specified did not match the lease ID for the ${what.toLowerCase()}.`,
  );

/** `comp=lease`: acquires, renews, changes, releases or breaks a lease. Headers of the answer come with `headers`. */
export function leaseAction(
  call: StorageCall,
  leased: Leased,
  what: 'Blob' | 'Container',
  headers: Readonly<Record<string, string>>,
): Reply {
  const action = header(call, 'x-ms-lease-action')?.toLowerCase();
  const state = leaseState(leased, call.now);
  call.exchange.entry.effective = true;
  if (action === 'acquire') return acquire(call, leased, headers, state);
  const { lease } = leased;
  if (!lease)
    throw refuse(409, 'LeaseNotPresentWithLeaseOperation', `There is currently no lease on the ${what.toLowerCase()}.`);
  if (action === 'break') return breakLease(call, lease, headers, state);
  const proposed = header(call, 'x-ms-proposed-lease-id');
  const given = header(call, 'x-ms-lease-id')?.toLowerCase();
  const isOwn =
    given === lease.id.toLowerCase() ||
    (action === 'change' && given !== undefined && proposed?.toLowerCase() === lease.id);
  if (!isOwn) throw mismatch(what, 'Lease', 409);
  if (action === 'renew') {
    if (lease.broken)
      throw refuse(
        409,
        'LeaseIsBrokenAndCannotBeRenewed',
        'The lease ID matched, but the lease has been broken explicitly and cannot be renewed.',
      );
    if (lease.seconds !== -1) lease.endsAt = call.now + lease.seconds * 1000;
  } else if (action === 'change') {
    if (!proposed || !uuid.test(proposed)) throw invalidValue('InvalidHeaderValue');
    lease.id = proposed.toLowerCase();
  } else if (action === 'release') {
    delete leased.lease;
    return { status: 200, headers };
  } else throw invalidValue('InvalidHeaderValue');
  return { status: 200, headers: { ...headers, 'x-ms-lease-id': lease.id } };
}

function acquire(
  call: StorageCall,
  leased: Leased,
  headers: Readonly<Record<string, string>>,
  state: ReturnType<typeof leaseState>,
): Reply {
  const seconds = Number(header(call, 'x-ms-lease-duration') ?? -1);
  if (seconds !== -1 && !(seconds >= 15 && seconds <= 60)) throw invalidValue('InvalidHeaderValue');
  const id = (header(call, 'x-ms-proposed-lease-id') ?? call.ids.uuid()).toLowerCase();
  if (!uuid.test(id)) throw invalidValue('InvalidHeaderValue');
  if (state === 'breaking' || (state === 'leased' && leased.lease?.id !== id)) {
    throw refuse(409, 'LeaseAlreadyPresent', 'There is already a lease present.');
  }
  leased.lease = { id, seconds, ...(seconds === -1 ? {} : { endsAt: call.now + seconds * 1000 }) };
  return { status: 201, headers: { ...headers, 'x-ms-lease-id': id } };
}

function breakLease(
  call: StorageCall,
  lease: Lease,
  headers: Readonly<Record<string, string>>,
  state: ReturnType<typeof leaseState>,
): Reply {
  const left = lease.endsAt === undefined ? 0 : Math.max(0, Math.ceil((lease.endsAt - call.now) / 1000));
  const wanted = header(call, 'x-ms-lease-break-period');
  const period =
    state === 'broken' || state === 'expired'
      ? 0
      : Math.min(Number(wanted ?? left), lease.endsAt === undefined ? 60 : left);
  lease.broken = true;
  lease.endsAt = call.now + period * 1000;
  return { status: 202, headers: { ...headers, 'x-ms-lease-time': String(period) } };
}
