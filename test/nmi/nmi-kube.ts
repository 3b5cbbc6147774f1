import { apiVersionOf, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { FakeKube } from '../fakes/kube-client.ts';

/** A cluster in memory whose API server also issues service account tokens. */
export class NmiKube extends FakeKube {
  readonly tokenRequests: { account: string; body: object }[] = [];

  override async createSubresource<R>(
    _type?: ResourceType,
    key?: { namespace?: string | undefined; name: string },
    _subresource?: string,
    body: object = {},
  ): Promise<R> {
    this.tokenRequests.push({ account: `${key?.namespace}/${key?.name}`, body });
    const expirationTimestamp = new Date(Date.now() + 3600_000).toISOString();
    return { status: { token: `sa-token-${key?.namespace}-${key?.name}`, expirationTimestamp } } as R;
  }

  async put(type: ResourceType, object: Partial<KubeObject> & { metadata: { name: string } }): Promise<KubeObject> {
    const { namespace, name } = object.metadata as { namespace?: string | undefined; name: string };
    const whole = { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject;
    const old = await this.tryGet(type, { ...(namespace && { namespace }), name });
    if (!old) return this.create(type, whole);
    const { resourceVersion, uid } = old.metadata;
    return this.replace(type, { ...whole, metadata: { ...whole.metadata, resourceVersion, uid } } as KubeObject);
  }
}
