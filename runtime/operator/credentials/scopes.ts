import { tryKindOf } from '../../api/kinds.ts';
import type { ArmModel, OwnerLink } from '../../arm-kinds/model.ts';
import { annotations, namespaceCredential } from '../../arm-kinds/names.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isWithinScope, type ScopeRule, scopesAllow } from '../../azure/arm/scopes.ts';
import { AzimuthError } from '../../base/errors.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { readingsOf, textsIn } from './texts-in.ts';

/** The object needs more than its namespace may do with the operator's credential. */
export class ScopeNotAllowed extends AzimuthError {
  /** Whether only a change of the object or of the settings ends it. */
  readonly lasting: boolean;

  constructor(what: string, namespace: string, options: ScopeNotAllowedOptions = {}) {
    const { allow = `allow it by ${scopesFlag} for the namespace ${namespace}`, lasting = true } = options;
    super(
      'AZ_TERMINAL',
      `${what} with the operator's own credential: ${allow}, or give the namespace ${namespace} a credential of its own in the Secret ${namespaceCredential}`,
    );
    this.lasting = lasting;
  }
}

/** Options of ScopeNotAllowed. */
export interface ScopeNotAllowedOptions {
  /** The setting that allows it, such as `ruleFor` says it. */
  readonly allow?: string;
  /** @default true */
  readonly lasting?: boolean;
}

const scopesFlag = '--operator-credential-scopes';

/** How to allow a namespace a scope. */
export const ruleFor = (namespace: string, scope: string) => `add the rule ${namespace}=${scope} to ${scopesFlag}`;

/** Settings of the operator that decide where a namespace without rules may use the operator's credential. */
export interface ScopeSettings {
  /** A namespace without a rule reaches nothing. @default false */
  readonly multiTenant?: boolean;
  /** Where there are no rules, types that grant access may have any owner, or none. @default false */
  readonly allowAccessGrants?: boolean;
}

/** The ARM ids that an object reaches. */
export interface Reach {
  readonly resourceId: string;
  readonly ownerId: string | undefined;
  /** The resolved values of references, ConfigMaps and Secrets. */
  readonly inputs: readonly unknown[];
}

/**
 * The permissions of objects with a credential that belongs to the operator and not to their namespace (docs/adr/0018).
 * With rules, and always under the multi-tenant profile, the rules must allow the namespace the object's ARM id and
 * every ARM id in it. Without rules every object may use the operator's credential, as in ASO v2, except for templates
 * and types that grant access: those need an owner that is an object of the namespace. `allowAccessGrants` ends this
 * exception.
 */
export class CredentialScopes {
  readonly #rules: readonly ScopeRule[];
  /** Whether a namespace without a rule reaches no ARM id. */
  readonly #enforced: boolean;
  readonly #allowed: boolean;

  constructor(rules: readonly ScopeRule[], { multiTenant = false, allowAccessGrants = false }: ScopeSettings = {}) {
    this.#rules = rules;
    this.#enforced = multiTenant || rules.length > 0;
    this.#allowed = allowAccessGrants && !this.#enforced;
  }

  /** Throws ScopeNotAllowed. */
  check(model: ArmModel, object: KubeObject, { resourceId, ownerId, inputs }: Reach): void {
    if (this.#allowed) return;
    const { namespace = '' } = object.metadata;
    const isBelowOwner = ownerId !== undefined && isWithinScope(resourceId, ownerId.toLowerCase());
    const type = model.armType(object);
    if (deploysTemplates.test(type) && !this.#reaches('/', namespace)) {
      const what = `${type} may not be made, whose template may reach any place,`;
      throw new ScopeNotAllowed(what, namespace, { allow: this.#howToAllow(namespace, '/') });
    }
    if (this.#enforced) {
      this.#checkId(resourceId, namespace, isBelowOwner ? ownerId : resourceId);
      for (const id of [...idsIn(object['spec']), ...idsIn(inputs)]) this.#checkId(id, namespace);
      // The message never repeats the content of a Secret.
      const what = 'An ARM id in a Secret that the object names may not be reached';
      for (const id of secretIdsIn(inputs))
        if (!this.#reaches(id, namespace)) throw new ScopeNotAllowed(what, namespace);
      return;
    }
    if (!grantsAccess(model, object)) return;
    const place = placeByHand(model.owner(object));
    const scope = ownerId ?? subscriptionOf(resourceId);
    if (place !== undefined) {
      const allow = this.#howToAllow(namespace, scope);
      throw new ScopeNotAllowed(`${type} may not be made under ${place}`, namespace, { allow });
    }
    if (ownerId !== undefined && !isBelowOwner) {
      const what = `The annotation ${annotations.resourceId} may not lead out of the owner ${ownerId}`;
      throw new ScopeNotAllowed(what, namespace, { allow: this.#howToAllow(namespace, resourceId) });
    }
  }

  /**
   * Throws ScopeNotAllowed for an ARM id that is to be deleted, or that a kind reaches besides the object's own id.
   */
  checkReach({ metadata: { namespace = '' } }: KubeObject, armId: string): void {
    if (this.#enforced) this.#checkId(armId, namespace);
  }

  /** The same for each ARM id in a value. */
  checkIdsIn({ metadata: { namespace = '' } }: KubeObject, value: unknown): void {
    if (this.#enforced) for (const id of idsIn(value)) this.#checkId(id, namespace);
  }

  /** The scopes of the namespace of an object; undefined where nothing limits it. '' is everything. */
  limitsOf(object: KubeObject): readonly string[] | undefined {
    const { namespace = '' } = object.metadata;
    if (!this.bounds(object)) return undefined;
    return this.#rules.filter((rule) => ['*', namespace].includes(rule.namespace)).map(({ scope }) => scope);
  }

  /** Whether rules limit the ARM ids of this namespace. */
  bounds({ metadata: { namespace = '' } }: KubeObject): boolean {
    return this.#enforced && !this.#reaches('/', namespace);
  }

  #checkId(id: string, namespace: string, scope = id): void {
    if (this.#reaches(id, namespace)) return;
    const shown = id === '/' ? 'What belongs to others' : id;
    throw new ScopeNotAllowed(`${shown} may not be reached`, namespace, { allow: ruleFor(namespace, scope) });
  }

  /** The first rule limits every namespace, so that a cluster without rules has another way. */
  #howToAllow(namespace: string, scope: string): string {
    const rule = ruleFor(namespace, scope);
    if (this.#enforced) return rule;
    return `where all namespaces trust each other set --allow-access-grants=true, else ${rule} beside rules for all that each namespace has`;
  }

  #reaches(id: string, namespace: string): boolean {
    return scopesAllow(this.#rules, namespace, id);
  }
}

const subscriptionOf = (id: string) => /^\/subscriptions\/[^/]+/i.exec(id)?.[0] ?? '/';

/** The place that the author of an object chose, where its owner is none that the operator's record confirms. */
function placeByHand(owner: OwnerLink | undefined): string | undefined {
  if (!owner) return 'the whole subscription (it has neither owner nor scope)';
  if ('armId' in owner) return `an ARM id (${owner.armId})`;
  // Where its children lie is in its status, which anybody may write who may write the object.
  const kind = owner.kinds.find((each) => tryKindOf(owner.group, each)?.arm?.childScope !== undefined);
  return kind === undefined ? undefined : `the subscription that the status of ${kind} ${owner.name} names`;
}

/** Whether the type gives somebody access, or removes a protection, in its scope. */
function grantsAccess(model: ArmModel, object: KubeObject): boolean {
  if (model.definition.arm?.owner?.extension || model.definition.arm?.dataPlane) return true;
  const type = model.armType(object).toLowerCase();
  if (grantingProvider.test(type)) return true;
  const last = type.slice(type.lastIndexOf('/') + 1);
  if (grantingChildren.has(last) || last.endsWith('administrators')) return true;
  return /role|access|principal|policy/.test(last) && /(assignments|bindings|definitions|requests)$/.test(last);
}

/** Roles, policies and locks; delegation to another tenant; trust in an identity; the subscription itself. */
const grantingProvider =
  /^microsoft\.(authorization|managedservices|policyinsights|subscription|management|managedidentity\/userassignedidentities)\//;

/** The last segments of types by which single services give access to their content. */
const grantingChildren: ReadonlySet<string> = new Set([
  'accesspolicies',
  'authorizationrules',
  'azureadonlyauthentications',
  'mongodbuserdefinitions',
]);

/** Types that deploy a template, which can name any scope in its own syntax. */
const deploysTemplates =
  /^microsoft\.(resources\/(deployments|deploymentstacks)|solutions\/applications|blueprint\/.*)$/i;

/**
 * Every ARM id within a value: also as the key of a map (`userAssignedIdentities`), after Resource Manager's address,
 * in the middle of a text (a query, a connection string), in JSON within a text, and escaped. Bodies are sent without the
 * blanks around their ids, so texts are read without those. Ids of roles are left out:
 * naming a role grants nothing, only an assignment does. The ids in a SecretValue are left out too, because messages must
 * not show them.
 */
function idsIn(value: unknown): string[] {
  return textsIn(value)
    .flatMap(readingsOf)
    .map(normalizeText)
    .flatMap((text) => [...wholeIds(text), ...idsWithin(text)])
    .filter(isNoRole);
}

function secretIdsIn(inputs: readonly unknown[]): string[] {
  return inputs.flatMap((input) => (input instanceof SecretValue ? idsIn(input.reveal()) : []));
}

/** The ids with all text after them, so that no reader can find another end of the id. */
function wholeIds(text: string): string[] {
  const [, id] = /^(?:https?:\/\/management\.[^/]*)?(\/+(?:subscriptions|providers)\/.*)$/is.exec(text) ?? [];
  return id === undefined ? [] : [id];
}

/** Found by the GUID of the subscription in each of its forms, because topics have `subscriptions/name` too. */
function idsWithin(text: string): string[] {
  const ids: string[] = [];
  let end = 0;
  for (const { 0: before, 1: slashes, index } of text.matchAll(/subscriptions([/\\]+)/gi)) {
    // An escaped slash is read once it is opened; a topic's subscription is a part of its id.
    if (index < end || slashes?.endsWith('\\/')) continue;
    const start = index + before.length;
    const [guid = '', digits] =
      /^[{(]?((?:[0-9a-f]-?){31}[0-9a-f])[)}]?/i.exec(text.slice(start, start + longestGuid)) ?? [];
    if (digits === undefined) continue;
    const rest = /^[^\s"'`,;|()<>{}[\]\\?&#]*/.exec(text.slice(start + guid.length))?.[0] ?? '';
    end = start + guid.length + rest.length;
    ids.push(`/subscriptions/${guidOf(digits.replaceAll('-', ''))}${rest}`);
  }
  return ids;
}

/** With a dash after each digit, and braces. */
const longestGuid = 66;
const guidOf = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const isNoRole = (id: string) =>
  tryParseResourceId(id)?.type.toLowerCase() !== 'microsoft.authorization/roledefinitions';
