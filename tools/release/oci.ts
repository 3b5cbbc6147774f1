import type { Files } from './archive.ts';
import { sha256 } from './checksums.ts';

/** A blob as manifests name it. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and the digits. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  /** Of the manifest of an image in an index. */
  readonly platform?: { readonly os: string; readonly architecture: string };
}

/** Media types of the OCI image specification. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
} as const;

/** An OCI image layout in the making. */
export class OciLayout {
  readonly #blobs: Record<string, string | Uint8Array> = {};

  /** Adds a blob. */
  add(mediaType: string, content: string | Uint8Array): Descriptor {
    const digest = sha256(content);
    this.#blobs[`blobs/sha256/${digest}`] = content;
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(content) };
  }

  /** Adds an object as JSON. */
  addJson(mediaType: string, content: object): Descriptor {
    return this.add(mediaType, JSON.stringify(content));
  }

  /** Adds the manifest of a config and its layers. */
  addManifest(config: Descriptor, layers: readonly Descriptor[]): Descriptor {
    return this.addJson(mediaTypes.manifest, { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers });
  }

  /** The files of the layout, with a manifest or index under a tag. */
  files(tagged: Descriptor, tag: string): Files {
    const named = { ...tagged, annotations: { 'org.opencontainers.image.ref.name': tag } };
    return {
      ...this.#blobs,
      'index.json': JSON.stringify({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [named] }),
      'oci-layout': JSON.stringify({ imageLayoutVersion: '1.0.0' }),
    };
  }
}
