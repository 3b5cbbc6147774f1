import { overlaps, rangeText } from '../../../../runtime/base/address-range.ts';
import { type Refusal, refuse } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import type { StoredResource, StoredResources } from '../resources/stored-resources.ts';
import { sameName } from '../write-checks.ts';
import { rangesOf } from './address-ranges.ts';

const peeringType = 'Microsoft.Network/virtualNetworks/virtualNetworkPeerings';
const more = 'For more information please refer to https://aka.ms/VnetPeeringInfo';

/** Whether the type is that of peerings, whose networks may not overlap. */
export const refusesOverlaps = (type: string): boolean => sameName(type, peeringType);

/** Throws Azure's refusal of a peering of networks that overlap each other, or another peer of one of them. */
export function refuseOverlap({ path, request, state: { resources } }: WriteContext): void {
  if (!refusesOverlaps(path.type)) return;
  const own = resources.get(path.parentId ?? '');
  const remote = resources.get(stringOf(at(request, 'properties.remoteVirtualNetwork.id')));
  if (!own || !remote) return;
  const refusal = (code: string, reason: string, common: string) =>
    refuse(
      400,
      code,
      `Cannot create or update peering ${path.id}. Virtual networks ${own.id} and ${remote.id} cannot be peered because ${reason}. Overlapping address prefixes: ${common}. ${more}`,
    );
  const common = overlapOf(own, remote);
  if (common) throw refusal('VnetAddressSpacesOverlap', 'their address spaces overlap', common);
  refusePeers([own, 'first'], [remote, 'second'], resources, refusal);
  refusePeers([remote, 'second'], [own, 'first'], resources, refusal);
}

/** A network with its place in the message. */
type Named = readonly [network: StoredResource, place: string];

function refusePeers(
  [network, place]: Named,
  [other, otherPlace]: Named,
  resources: StoredResources,
  refusal: (code: string, reason: string, common: string) => Refusal,
): void {
  const isPeering = ({ id }: StoredResource) => id.toLowerCase().startsWith(`${other.id.toLowerCase()}/`);
  for (const peering of resources.ofType(peeringType).filter(isPeering)) {
    const peer = resources.get(stringOf(at(peering.body, 'properties.remoteVirtualNetwork.id')));
    const common = peer && !sameName(peer.id, network.id) ? overlapOf(network, peer) : '';
    if (!peer || !common) continue;
    const reason = `address space of the ${place} virtual network overlaps with address space of virtual network ${peer.id} already peered with the ${otherPlace} virtual network`;
    throw refusal('VnetAddressSpaceOverlapsWithAlreadyPeeredVnet', reason, common);
  }
}

/** The ranges that two networks have in common, as text. */
const overlapOf = (one: StoredResource, other: StoredResource): string =>
  rangesOf(one)
    .filter((range) => rangesOf(other).some((each) => overlaps(each, range)))
    .map(rangeText)
    .join(', ');
