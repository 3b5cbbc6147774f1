import { createHash } from 'node:crypto';
import { annotations, broughtResourceId } from '../../arm-kinds/names.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { canonicalJson } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ProgramKey } from '../../kube/controller/program-key.ts';
import { SignedRecords } from '../../kube/controller/signed-records.ts';
import { acquisitionOf } from './acquisition.ts';

/** The annotations that prove the ownership of the resource. They stay valid when somebody changes the others. */
const proofNames = [annotations.resourceId, annotations.acquired, annotations.credential] as const;

/** The annotations about work in progress and finished work. */
const progressNames = [
  annotations.journal,
  annotations.applied,
  annotations.exports,
  annotations.keyVaultSecrets,
  annotations.rotation,
  annotations.keysRotated,
] as const;

/**
 * The annotations that steer the operator. One signature covers all of them, so that nobody can combine old and new
 * ones.
 */
const recordNames = [...proofNames, ...progressNames];

type Values = Readonly<Record<string, string>>;

/** A record that the operator signed. */
interface ObjectRecord {
  /** Grows with every write, so that the operator recognises an older record of the same object. */
  readonly revision: number;
  readonly values: Values;
  /** Somebody changed the progress annotations, so they are left out. */
  readonly spoilt: boolean;
}

/** Annotations to write; null removes one. */
export type AnnotationChanges = Readonly<Record<string, string | null>>;

/**
 * The operator's records in an object's annotations (docs/adr/0023). Everybody who may edit the object may edit these,
 * so the operator signs them for the object's uid and ignores unsigned ones. The rest of the operator works on
 * `authenticated` objects, which have only signed annotations.
 */
export class ObjectRecords {
  readonly #key: ProgramKey;
  #signed: SignedRecords | undefined;
  /** The newest record of each uid that this process has seen. It replaces an older or a missing one. */
  readonly #newest = new Map<string, ObjectRecord>();
  /** The object as the API server has it, for each authenticated object. */
  readonly #stored = new WeakMap<KubeObject, KubeObject>();

  constructor(key: ProgramKey) {
    this.#key = key;
  }

  /** Loads the key. Await it once before any other call. */
  async load(signal?: AbortSignal): Promise<void> {
    this.#signed ??= new SignedRecords(await this.#key.load(signal));
  }

  /**
   * The object with the operator's own annotations as the operator wrote them last. Leaves out annotations that the
   * operator did not write, and a status's ARM id that they do not confirm.
   */
  authenticated(object: KubeObject): KubeObject {
    if (this.#stored.has(object)) return object;
    const { metadata, status } = object;
    const all = Object.entries(metadata.annotations ?? {});
    const others = all.filter(([name]) => !isRecordName(name) && name !== broughtResourceId);
    const record = this.#newestOf(object);
    const brought = record ? undefined : metadata.annotations?.[annotations.resourceId];
    const records = {
      ...Object.fromEntries(others),
      ...record?.values,
      ...(brought !== undefined && { [broughtResourceId]: brought }),
    };
    const result: KubeObject = { ...object, metadata: { ...metadata, annotations: records } };
    if (status && !confirms(result, status.id)) result['status'] = { ...status, id: undefined };
    this.#stored.set(result, object);
    return result;
  }

  /** The object as the API server has it. */
  stored(object: KubeObject): KubeObject {
    return this.#stored.get(object) ?? object;
  }

  /**
   * The annotations to write, with the signature, so that the record has these changes; empty if it already has them.
   */
  changes(object: KubeObject, changes: AnnotationChanges): AnnotationChanges {
    const current = this.authenticated(object);
    const stored = this.stored(current).metadata.annotations ?? {};
    const merged = { ...valuesOf(current), ...changes };
    const values = Object.fromEntries(
      Object.entries(merged).filter((each): each is [string, string] => each[1] !== null),
    );
    const different = recordNames.filter((name) => (stored[name] ?? null) !== (values[name] ?? null));
    const valid = this.#verified(this.stored(current))?.spoilt === false;
    if (different.length === 0 && (valid || Object.keys(values).length === 0)) return {};
    const revision = (this.#newestOf(current)?.revision ?? 0) + 1;
    return {
      ...Object.fromEntries(different.map((name) => [name, values[name] ?? null])),
      [annotations.signature]: this.#signer().sign(
        purpose(current),
        current,
        [revision, ...hashesOf(values)].join('.'),
      ),
    };
  }

  /** Whether the API server has the record as the operator wrote it. */
  isIntact(object: KubeObject): boolean {
    return Object.keys(this.changes(object, {})).length === 0;
  }

  /** Forgets a deleted object. */
  forget(uid: string): void {
    this.#newest.delete(uid);
  }

  #newestOf(object: KubeObject): ObjectRecord | undefined {
    const { uid = '' } = object.metadata;
    const storedRecord = this.#verified(this.stored(object));
    const newestRecord = this.#newest.get(uid);
    if (!storedRecord || (newestRecord && (newestRecord.revision > storedRecord.revision || storedRecord.spoilt)))
      return newestRecord;
    this.#newest.set(uid, storedRecord);
    return storedRecord;
  }

  #verified(object: KubeObject): ObjectRecord | undefined {
    const text = this.#signer().verify(purpose(object), object, object.metadata.annotations?.[annotations.signature]);
    if (text === undefined) return undefined;
    const [revision = '', ...signed] = text.split('.');
    const values = valuesOf(object);
    const [proof, progress] = hashesOf(values).map((hash, index) => hash === signed[index]);
    if (!proof) return undefined;
    const kept = progress ? values : pick(values, proofNames);
    return { revision: Number(revision), values: kept, spoilt: !progress };
  }

  #signer(): SignedRecords {
    if (this.#signed) return this.#signed;
    throw new Error('The key of the records is not loaded yet');
  }
}

function isRecordName(name: string): boolean {
  return name === annotations.signature || (recordNames as readonly string[]).includes(name);
}

function valuesOf({ metadata: { annotations: objectAnnotations = {} } }: KubeObject): Values {
  return Object.fromEntries(
    recordNames.flatMap((name) => (objectAnnotations[name] === undefined ? [] : [[name, objectAnnotations[name]]])),
  );
}

function confirms(object: KubeObject, id: unknown): boolean {
  const recorded = object.metadata.annotations?.[annotations.resourceId];
  const acquired = acquisitionOf(object);
  if (typeof id !== 'string' || recorded === undefined || !acquired) return false;
  return acquired.by !== 'announced' && sameResourceId(id, recorded);
}

/** Kinds of two groups may have the same name. */
function purpose({ apiVersion }: KubeObject): string {
  return `operator ${apiVersion.split('/')[0]}`;
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The hashes of the proof and of the progress. */
function hashesOf(values: Values): string[] {
  return [proofNames, progressNames].map((names) =>
    createHash('sha256')
      .update(canonicalJson(pick(values, names)))
      .digest('hex')
      .slice(0, 32),
  );
}
