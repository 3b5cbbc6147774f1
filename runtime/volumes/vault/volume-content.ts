import type { VolumeContent } from '../mount/mount.ts';
import type { DriverSettings } from '../options/settings.ts';
import type { VolumeSpec } from '../options/volume-spec.ts';
import { type FetchOptions, fetchObjects } from './fetch.ts';

/** Reads the files of a volume from the vault, and their versions where the agent is to refresh the volume. */
export async function contentOf(
  request: VolumeSpec,
  vault: FetchOptions,
  settings: Pick<DriverSettings, 'filePermission' | 'volumeBytes'>,
): Promise<VolumeContent> {
  const fetched = await fetchObjects(request.objects, settings.volumeBytes, vault);
  const mode = request.filePermission ?? settings.filePermission;
  return {
    files: fetched.map(({ request: { file }, content }) => ({ name: file, content, mode })),
    group: request.fsGroup,
    ...(request.refreshSeconds !== undefined && {
      versions: Object.fromEntries(fetched.map(({ request: { file }, version }) => [file, version])),
    }),
  };
}
