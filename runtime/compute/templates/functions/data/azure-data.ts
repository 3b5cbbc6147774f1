import { armKinds, armKindsOfType } from '../../../../api/kinds.ts';
import { builtInRoleId, builtInRoles } from '../../../../api/permissions/built-in-roles.ts';
import { nearest } from '../../../../base/text/edit-distance.ts';
import { quoted } from '../../problems.ts';
import { type TemplateObject, type TemplateValue, templateObject } from '../../values/value.ts';
import { type Call, type FunctionTable, fail, intAt, stringAt, type TemplateFunction } from '../function-spec.ts';
import { zonesOf } from './zones.ts';

function pickedZones(args: readonly TemplateValue[], call: Call): TemplateValue {
  const [namespace, type, location] = [stringAt(args, 0, call), stringAt(args, 1, call), stringAt(args, 2, call)];
  const count = args[3] === undefined ? 1 : intAt(args, 3, call);
  const offset = args[4] === undefined ? 0 : intAt(args, 4, call);
  if (count < 1 || count > 3) fail(call, `argument 4, the number of zones, must be from 1 to 3, and is ${count}`);
  const zones = zonesOf(`${namespace}/${type}`, location);
  if (zones.length === 0) return [];
  if (offset < 0 || offset + count > zones.length) {
    fail(call, `${offset} and ${count} zones are more than the ${zones.length} of ${quoted(location)}`);
  }
  return zones.slice(offset, offset + count);
}

/** A type of a namespace with its versions; undefined without a kind of it. */
function typeWithVersions(namespace: string, armType: string): TemplateObject | undefined {
  const kinds = armKindsOfType(armType);
  const [kind] = kinds;
  if (!kind) return undefined;
  const versions = kinds.flatMap(({ arm }) => Object.values(arm.apiVersions));
  return templateObject([
    ['resourceType', kind.armType.slice(namespace.length + 1)],
    ['locations', []],
    ['apiVersions', [...new Set(versions)].sort().reverse()],
  ]);
}

/** The namespace with all of its types that there are kinds for. */
function provider(namespace: string): TemplateObject | undefined {
  const start = `${namespace}/`.toLowerCase();
  const all = armKinds.map(({ armType }) => armType).filter((armType) => armType.toLowerCase().startsWith(start));
  if (all.length === 0) return undefined;
  const resourceTypes = [...new Set(all)].flatMap((armType) => typeWithVersions(namespace, armType) ?? []);
  return templateObject([
    ['namespace', namespace],
    ['resourceTypes', resourceTypes],
  ]);
}

/** The role that a misspelled name could mean. */
function hintOf(name: string): string {
  const near = nearest(name, Object.keys(builtInRoles), (role) => role);
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

/** A function whose answer Azure alone has, before the deployment. */
function refused(arity: readonly [number, number], doc: string, instead: string): TemplateFunction {
  return {
    arity,
    doc,
    state: 'refused',
    evaluate: (_, call) =>
      fail(call, `Azure alone has its answer, and nothing asks for it before a deployment: ${instead}`),
  };
}

const giveZones = 'give the zones as a parameter';

/** Functions that look up facts about Azure, from data of this version. */
export const azureData: FunctionTable = {
  pickZones: {
    arity: [3, 5],
    doc: 'The zones of a type in a region: how many, and after how many; none where the type or the region has none.',
    evaluate: pickedZones,
  },
  providers: {
    arity: [1, 2],
    doc: 'The API versions of a type that Azimuth knows: resourceType, apiVersions (the newest first), locations (none); without a type, the namespace and its resourceTypes.',
    state: 'types that Azimuth has kinds for',
    evaluate: (args, call) => {
      const namespace = stringAt(args, 0, call);
      const type = args[1] === undefined ? '' : stringAt(args, 1, call);
      const found = args[1] === undefined ? provider(namespace) : typeWithVersions(namespace, `${namespace}/${type}`);
      const name = `${namespace}/${type}`.slice(0, 120);
      return found ?? fail(call, `the versions of '${name}' are not known: write an apiVersion`);
    },
  },
  roleDefinitions: {
    arity: [1, 1],
    doc: 'A built-in role by its name: id and roleDefinitionId.',
    evaluate: (args, call) => {
      const name = stringAt(args, 0, call);
      const roleDefinitionId =
        builtInRoleId(name) ??
        fail(call, `argument 1: no built-in role has the name '${name.slice(0, 80)}'${hintOf(name)}`);
      const scope = `/subscriptions/${call.scope.environment.context.subscriptionId}`;
      return templateObject([
        ['id', `${scope}/providers/Microsoft.Authorization/roleDefinitions/${roleDefinitionId}`],
        ['roleDefinitionId', roleDefinitionId],
      ]);
    },
  },
  toLogicalZone: refused([3, 3], 'The logical zone of a physical one in a subscription.', giveZones),
  toLogicalZones: refused([3, 3], 'The logical zones of physical ones in a subscription.', giveZones),
  toPhysicalZone: refused([3, 3], 'The physical zone of a logical one in a subscription.', giveZones),
  toPhysicalZones: refused([3, 3], 'The physical zones of logical ones in a subscription.', giveZones),
};
