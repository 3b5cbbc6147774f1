import type { ResourceType } from '../../runtime/kube/client/types.ts';
import { LocalKube } from '../fakes/local-kube.ts';

/** A cluster in memory whose API server also issues service account tokens. */
export class NmiKube extends LocalKube {
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
}
