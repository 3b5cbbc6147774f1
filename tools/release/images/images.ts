import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageContent, imageNames } from '../../clusters/dockerfile.ts';
import { type Entry, gzip, tar, tarOf } from '../archive.ts';
import { sha256 } from '../checksums.ts';
import { type Descriptor, mediaTypes, OciLayout } from '../oci.ts';
import type { Release } from '../source.ts';
import { baseLayer, copiedLayer, toolsLayer } from './layers.ts';
import { type Processor, processors } from './packages.ts';

interface Layer {
  readonly compressed: Buffer;
  /** SHA-256 of the archive that is not compressed, with `sha256:`. */
  readonly diffId: string;
}

/**
 * Writes azimuth-image-VERSION.oci.tar and azimuth-controllers-image-VERSION.oci.tar: the images of the Dockerfile for
 * each processor, as OCI layouts in archives. Their base is packages of Debian instead of an image of a registry.
 */
export async function writeImages(release: Release): Promise<void> {
  const { folder, version, time } = release;
  const layers = layersOnce(time);
  for (const target of Object.keys(imageNames) as (keyof typeof imageNames)[]) {
    const layout = new OciLayout();
    const manifests: Descriptor[] = [];
    for (const processor of processors) {
      const manifest = addImage(layout, await layers(target, processor), target, processor, release);
      manifests.push({ ...manifest, platform: { os: 'linux', architecture: processor } });
    }
    const index = layout.addJson(mediaTypes.index, { schemaVersion: 2, mediaType: mediaTypes.index, manifests });
    writeFileSync(join(folder, `${imageNames[target]}-${version}.oci.tar`), tar(layout.files(index, version), time));
  }
}

/** Gives the layers of an image. Layers that both images have are made once. */
function layersOnce(time: number) {
  const made = new Map<string, Promise<Layer>>();
  const once = (name: string, make: () => Promise<readonly Entry[]>): Promise<Layer> => {
    const layer = made.get(name) ?? make().then((entries) => layerOf(entries, time));
    made.set(name, layer);
    return layer;
  };
  return async (target: string, processor: Processor): Promise<readonly Layer[]> => {
    const { copies, packages } = imageContent(target);
    const makers: [string, () => Promise<readonly Entry[]>][] = [['base', () => baseLayer(processor)]];
    if (packages.length > 0) makers.push(['tools', () => toolsLayer(processor)]);
    for (const [source, to] of copies) makers.push([source, () => copiedLayer(source, to, processor)]);
    const layers: Layer[] = [];
    // One at a time: some hold 250 MB.
    for (const [name, make] of makers) layers.push(await once(`${name} ${processor}`, make));
    return layers;
  };
}

function layerOf(entries: readonly Entry[], time: number): Layer {
  const archive = tarOf(entries, time);
  return { compressed: gzip(archive), diffId: `sha256:${sha256(archive)}` };
}

function addImage(
  layout: OciLayout,
  layers: readonly Layer[],
  target: string,
  processor: Processor,
  { version, commit, time }: Release,
): Descriptor {
  const { env, entryPoint, user } = imageContent(target);
  const created = new Date(time * 1000).toISOString();
  const config = layout.addJson(mediaTypes.config, {
    created,
    architecture: processor,
    os: 'linux',
    config: {
      User: user,
      Env: Object.entries({ PATH: '/usr/local/bin:/usr/sbin:/usr/bin', ...env }).map((pair) => pair.join('=')),
      Entrypoint: entryPoint,
      WorkingDir: '/',
      Labels: {
        'org.opencontainers.image.title': 'azimuth',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': commit,
        'org.opencontainers.image.created': created,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created })),
  });
  return layout.addManifest(
    config,
    layers.map(({ compressed }) => layout.add(mediaTypes.layer, compressed)),
  );
}
