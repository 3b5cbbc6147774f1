import { refuse } from '../../exchange.ts';
import { at, objectOf, stringOf } from '../../json.ts';
import type { WriteContext } from '../behaviour.ts';
import { profileOf } from './profile.ts';

/** Refuses a machine or set whose platform image is one of `missingImages`; without a publisher it names another image. */
export function checkImage({ path, request, settings }: WriteContext): void {
  const image = objectOf(at(profileOf(path.type, request), 'storageProfile.imageReference'));
  if (image['publisher'] === undefined) return;
  const name = ['publisher', 'offer', 'sku', 'version'].map((member) => stringOf(image[member])).join(':');
  if (!settings.missingImages.some((missing) => missing.toLowerCase() === name.toLowerCase())) return;
  throw refuse(
    404,
    'PlatformImageNotFound',
    `The platform image '${name}' is not available. Verify that all fields in the storage profile are correct.`,
    { target: 'imageReference' },
  );
}
