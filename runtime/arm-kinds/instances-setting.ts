import { annotations } from './names.ts';

const settings = ['follow', 'roll', 'ignore'] as const;

/**
 * The value of `azimuth.dev/instances` of a scale set. `follow`: Ready waits for the instances. `roll`: in mode Manual too,
 * the operator brings them to the model. `ignore`: Azure's acceptance of the model is enough. @default follow
 */
export function instancesSetting(own: Readonly<Record<string, string>> | undefined): (typeof settings)[number] {
  const value = own?.[annotations.instances]?.trim().toLowerCase();
  return settings.find((each) => each === value) ?? 'follow';
}
