import { sameResourceId } from '../../azure/arm/resource-ids.ts';

/** Places that hold a region, by the end of their path: Azure shows `West US` for `westus`. */
const regionPlaces = [
  'computeLocation',
  'dataCenterLocation',
  'dataLocation',
  'endpointLocation',
  'linkedRedisCacheLocation',
  'location',
  'locationName',
  'locations.regions[].name',
  'locations[]',
  'metricResourceLocation',
  'privateLinkLocation',
  'region',
  'replicatedRegions[]',
  'replicationRegion',
  'resourceLocation',
  'sourceLocation',
  'sourceWebAppLocation',
  'targetRegions[].name',
  'targetResourceLocation',
  'targetResourceRegion',
  'workspaceRegion',
];

/** Places that hold several words in one text, by the end of their path: Azure shows `Logging, Metrics`. */
const wordListPlaces = [
  'networkAcls.bypass',
  'smb.authenticationMethods',
  'smb.channelEncryption',
  'smb.kerberosTicketEncryption',
  'smb.versions',
];

const isRegion = endsAt(regionPlaces);
const isWordList = endsAt(wordListPlaces);

function endsAt(places: readonly string[]): (path: string) => boolean {
  const ends = places.map((place) => `.${place.toLowerCase()}`);
  return (path) => ends.some((end) => `.${path.toLowerCase()}`.endsWith(end));
}

/**
 * Whether Azure takes two texts at this place of a body for the same value. The items of a list have the path of the
 * list with `[]`.
 */
export function sameText(declared: string, live: string, path: string): boolean {
  if (declared === live) return true;
  if (/^\/(subscriptions|providers)\//i.test(declared)) return sameResourceId(declared, live);
  if (isRegion(path)) return sameRegion(declared, live);
  return isWordList(path) && words(declared) === words(live);
}

/** `West Europe` and `westeurope` are one region. */
export function sameRegion(a: string, b: string): boolean {
  const plain = (region: string) => region.replaceAll(' ', '').toLowerCase();
  return plain(a) === plain(b);
}

/** The words of a list in one order, without blanks and case. */
function words(text: string): string {
  const all = text.toLowerCase().replaceAll(/\s/g, '').split(/[,;]/);
  return all.filter(Boolean).sort().join();
}
