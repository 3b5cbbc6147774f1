import { type Reply, refuse } from '../../../exchange.ts';
import type { Json } from '../../../json.ts';
import type { ArmSettings } from '../../behaviour.ts';
import type { ResourcePath } from '../../resources/resource-path.ts';

/** An image of the marketplace: publisher, offer, sku, version, operating system. */
type Image = readonly [publisher: string, offer: string, sku: string, version: string, os: 'Linux' | 'Windows'];

/** The images that lists name. Every other image exists too, with the version 1.0.0. */
const listed: readonly Image[] = [
  ['Canonical', '0001-com-ubuntu-server-jammy', '22_04-lts-gen2', '22.04.202410020', 'Linux'],
  ['Canonical', 'ubuntu-24_04-lts', 'server', '24.04.202410170', 'Linux'],
  ['Debian', 'debian-12', '12-gen2', '0.20241004.1890', 'Linux'],
  ['RedHat', 'RHEL', '9-lvm-gen2', '9.4.2024081415', 'Linux'],
  ['SUSE', 'sles-15-sp6', 'gen2', '2024.09.27', 'Linux'],
  ['MicrosoftWindowsServer', 'WindowsServer', '2022-datacenter-azure-edition', '20348.2762.241006', 'Windows'],
  ['MicrosoftWindowsServer', 'WindowsServer', '2022-datacenter-g2', '20348.2762.241006', 'Windows'],
];

const levels = ['publishers', 'artifacttypes', 'offers', 'skus', 'versions'];

/**
 * The lists and versions of platform images below a location, which are arrays without `value`; undefined for any other
 * path. The settings name images that are missing.
 */
export function platformImages(path: ResourcePath, { missingImages }: ArmSettings): Reply | undefined {
  const words = [...path.types.slice(1), ...(path.tail === undefined ? [] : [path.tail])];
  if (words.length === 0 || words.some((word, level) => word.toLowerCase() !== levels[level])) return undefined;
  const [, publisher = '', artifact, offer = '', sku = '', version] = path.names;
  if (artifact !== undefined && artifact.toLowerCase() !== 'vmimage') return { status: 200, body: [] };
  const names = [publisher, offer, sku].filter((name) => name !== '');
  const below = listed.filter((image) => names.every((name, level) => same(image[level], name)));
  const item = (name: string): Json => ({ location: path.names[0], name, id: `${path.id}/${path.tail}/${name}` });
  if (version !== undefined) return { status: 200, body: imageOf(path, below, missingImages) };
  if (path.tail?.toLowerCase() === 'artifacttypes') return { status: 200, body: [item('vmimage')] };
  const found = [...new Set(below.map((image) => image[names.length] as string))];
  if (path.tail?.toLowerCase() !== 'versions') return { status: 200, body: found.map(item) };
  const versions = found.length > 0 ? found : ['1.0.0'];
  const there = versions.filter((each) => !isMissing([...names, each], missingImages));
  return { status: 200, body: there.map(item) };
}

const same = (a: string | undefined, b: string) => a?.toLowerCase() === b.toLowerCase();

const isMissing = (names: readonly string[], missing: readonly string[]) =>
  missing.some((each) => same(each, names.join(':')));

function imageOf(path: ResourcePath, images: readonly Image[], missing: readonly string[]): Json {
  const [location, publisher = '', , offer = '', sku = '', version = ''] = path.names;
  const listing = images.find((image) => same(image[3], version));
  if (isMissing([publisher, offer, sku, version], missing) || (!listing && version !== '1.0.0')) {
    throw refuse(404, 'NotFound', `Artifact: VMImage was not found: ${publisher}:${offer}:${sku}:${version}.`);
  }
  const operatingSystem = listing?.[4] ?? (/windows/i.test(offer) ? 'Windows' : 'Linux');
  return {
    location,
    name: version,
    id: path.id,
    properties: {
      hyperVGeneration: /gen2|g2|server$|edition/i.test(sku) ? 'V2' : 'V1',
      architecture: 'x64',
      replicaType: 'Managed',
      disallowed: { vmDiskType: 'None' },
      automaticOSUpgradeProperties: { automaticOSUpgradeSupported: true },
      imageDeprecationStatus: { imageState: 'Active' },
      features: [{ name: 'SecurityType', value: 'TrustedLaunchSupported' }],
      osDiskImage: { operatingSystem },
      dataDiskImages: [],
    },
  };
}
