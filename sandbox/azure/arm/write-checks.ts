import { isObject } from '../../../runtime/base/json.ts';
import { type Exchange, type Refusal, refuse } from '../exchange.ts';
import { type Json, stringOf } from '../json.ts';
import type { Behaviour, WriteContext } from './behaviour.ts';
import { takenNameOf } from './refusals/taken-names.ts';
import type { StoredResource } from './resources/stored-resources.ts';

/** Azure's public regions that the sandbox knows. */
export const locations = [
  'eastus',
  'eastus2',
  'westus',
  'westus2',
  'westus3',
  'centralus',
  'northcentralus',
  'southcentralus',
  'canadacentral',
  'canadaeast',
  'brazilsouth',
  'northeurope',
  'westeurope',
  'uksouth',
  'ukwest',
  'francecentral',
  'germanywestcentral',
  'swedencentral',
  'norwayeast',
  'switzerlandnorth',
  'italynorth',
  'polandcentral',
  'eastasia',
  'southeastasia',
  'japaneast',
  'japanwest',
  'koreacentral',
  'australiaeast',
  'australiasoutheast',
  'centralindia',
  'southindia',
  'uaenorth',
  'southafricanorth',
  'global',
  'westcentralus',
  'norwaywest',
  'swedensouth',
  'switzerlandwest',
  'spaincentral',
  'israelcentral',
  'qatarcentral',
  'uaecentral',
  'southafricawest',
  'koreasouth',
  'westindia',
  'australiacentral',
  'newzealandnorth',
  'mexicocentral',
  'chilecentral',
  'germanynorth',
  'francesouth',
  'austriaeast',
  'malaysiawest',
  'indonesiacentral',
];

/** ARM's checks for every type, before the provider sees the request. */
export function commonChecks(context: WriteContext, behaviour: Behaviour, exchange: Exchange, sent: Json): void {
  const { path, existing, request } = context;
  if (behaviour.name && !existing && !behaviour.name.pattern.test(path.name)) throw behaviour.name.refuse(path.name);
  if (typeof sent['name'] === 'string' && sent['name'] !== '' && !sameName(sent['name'], path.name)) {
    throw refuse(
      400,
      'InvalidRequestContent',
      `The resource name '${path.name}' in the request path does not match the resource name '${sent['name']}' in the request body.`,
    );
  }
  checkTags(request['tags']);
  // An extension of a resource is where that resource is.
  const extendsResource = /\/providers\//i.test(path.scope);
  if (behaviour.tracked ?? (path.types.length === 1 && !extendsResource)) checkLocation(context, behaviour);
  if (exchange.headers['if-none-match'] === '*' && existing) {
    throw refuse(
      412,
      'PreconditionFailed',
      `The condition '*' set by 'If-None-Match' header is not satisfied: the resource exists.`,
    );
  }
  if (existing && behaviour.etag) checkMatch(exchange, existing);
  if (existing?.operationId) throw busy(behaviour, existing);
  const refusal = existing ? undefined : (behaviour.globallyTaken ?? takenNameOf(path.type));
  const taken = refusal && context.state.resources.ofType(path.type).find((other) => sameName(other.name, path.name));
  if (refusal && taken) throw refusal(path, taken);
}

function checkLocation({ path, existing, request }: WriteContext, behaviour: Behaviour): void {
  const location = stringOf(request['location']);
  if (!location) throw refuse(400, 'LocationRequired', 'The location property is required for this definition.');
  const group = behaviour.type === 'Microsoft.Resources/resourceGroups';
  if (!locations.includes(location)) {
    throw group
      ? refuse(
          400,
          'LocationNotAvailableForResourceGroup',
          `The provided location '${location}' is not available for resource group. List of available regions is '${locations.join(',')}'.`,
        )
      : refuse(
          400,
          'LocationNotAvailableForResourceType',
          `The provided location '${location}' is not available for resource type '${path.type}'. List of available regions for the resource type is '${locations.join(',')}'.`,
        );
  }
  const before = stringOf(existing?.body['location']);
  if (!before || normalLocation(before) === location) return;
  throw group
    ? refuse(
        409,
        'InvalidResourceGroupLocation',
        `Invalid resource group location '${location}'. The Resource group already exists in location '${before}'.`,
      )
    : refuse(
        409,
        'InvalidResourceLocation',
        `The resource '${path.name}' already exists in location '${before}' in resource group '${path.resourceGroup}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
      );
}

/** Throws Azure's refusal of tags that no resource can have. */
export function checkTags(tags: unknown): void {
  if (tags === undefined || tags === null) return;
  if (!isObject(tags))
    throw refuse(400, 'InvalidRequestContent', 'The request content was invalid: tags must be an object.');
  const names = Object.keys(tags);
  if (names.length > 50) {
    throw refuse(
      400,
      'TooManyTags',
      `The number of tags '${names.length}' exceeds the limit: at most '50' tags are allowed.`,
    );
  }
  for (const name of names) {
    // Azure's own portal writes tags such as `hidden-link:/subscriptions/...`.
    if (name.length > 512 || (!name.startsWith('hidden-') && /[<>%&\\?/]/.test(name))) {
      throw refuse(
        400,
        'InvalidTagNameCharacters',
        `The tag names '${name}' have reserved characters '<,>,%,&,\\,?,/' or control characters, or are longer than 512.`,
      );
    }
    if (typeof tags[name] !== 'string' || tags[name].length > 256) {
      throw refuse(400, 'InvalidTagValueLength', `The value of tag '${name}' must be text of at most 256 characters.`);
    }
  }
}

/** Whether two Azure names are equal; case does not count. */
export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** A region's name in ARM's normal form: `West Europe` becomes `westeurope`. */
export const normalLocation = (location: string) => location.toLowerCase().replaceAll(' ', '');

/** 405 for a method that the resource type does not have. */
export const methodNotSupported = (method: string): Refusal =>
  refuse(405, 'HttpMethodNotSupported', `The HTTP method '${method}' is not supported on this resource type.`);

/** The provider's refusal of a write while another one runs; 409 by default. */
export function busy(behaviour: Behaviour, resource: StoredResource): Refusal {
  const {
    code,
    message,
    status = 409,
  } = behaviour.busy ?? {
    code: 'AnotherOperationInProgress',
    message: `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri of the operation on '${resource.id}'.`,
  };
  return refuse(status, code, message);
}

/** Whether If-Match takes the resource as it is. */
export function isMatched(exchange: Exchange, resource: StoredResource): boolean {
  const match = exchange.headers['if-match'];
  return !match || match === '*' || match.replaceAll(/^W\/|"/g, '') === stringOf(resource.system['etag']);
}

/** If-Match against the resource's etag. */
export function checkMatch(exchange: Exchange, resource: StoredResource): void {
  if (isMatched(exchange, resource)) return;
  const match = exchange.headers['if-match'];
  const etag = stringOf(resource.system['etag']);
  throw refuse(
    412,
    'PreconditionFailed',
    `The condition '${match}' set by 'If-Match' header is not satisfied: the etag is 'W/"${etag}"'.`,
  );
}
