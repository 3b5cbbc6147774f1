import { sameResourceId } from '../../azure/arm/resource-ids.ts';

/** Members that hold a region, by their name: Azure shows `West US` for `westus`. */
const regionMember = /(^|\.)([lL]ocation|[rR]egion|\w*[a-z](Location|Region))(Name)?s?(\[\])?$/;
/** Further places that hold one, by the end of their path. */
const regionPlaces = ['locations.regions[].name', 'targetRegions[].name'];
/** Texts that can be a region; a path or a URL in such a member is none. */
const regionName = /^[a-z][a-z0-9 ]{1,40}$/i;

/** Places that hold several words in one text, by the end of their path: Azure shows `Logging, Metrics`. */
const wordListPlaces = [
  'networkAcls.bypass',
  'smb.authenticationMethods',
  'smb.channelEncryption',
  'smb.kerberosTicketEncryption',
  'smb.versions',
];

const isFurtherRegion = endsAt(regionPlaces);
const isRegion = (path: string) => !/(^|[.\]])tags\./i.test(path) && (regionMember.test(path) || isFurtherRegion(path));
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
  if (isRegion(path)) return regionName.test(declared) && sameRegion(declared, live);
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
