// Byte ranges of a hub file without downloading it: for files that are too large to keep.
import { ToolError } from '../../core/errors.ts';
import { sendRequest } from '../http-client.ts';
import type { SourceContext } from '../source-context.ts';
import type { HubReference } from '../source-reference.ts';
import { explainHubStatus, hubToken, readHubFileFacts, resolveUrl } from './hub-api.ts';

export interface HubRanges {
  readonly byteLength: number;
  /** Content id that the hub states; bytes read by range cannot be checked against it. */
  readonly etag: string;
  readonly commit: string;
  /** Bytes from `start` to before `end`. */
  readonly slice: (start: number, end?: number) => Promise<ArrayBuffer>;
}

/** Pins the revision to its commit and opens the file for range reads. @throws ToolError as `fetchFile` does */
export async function openHubRanges(reference: HubReference, context: SourceContext): Promise<HubRanges> {
  const { commit, etag, sizeBytes } = await readHubFileFacts(reference, context);
  if (sizeBytes === null) throw new ToolError('unavailable', `the hub names no size for ${reference.path}`);
  const url = resolveUrl(reference, commit, context);
  const bearerToken = await hubToken(context);
  const slice = async (start: number, end = sizeBytes): Promise<ArrayBuffer> => {
    const response = await sendRequest(url, { headers: { range: `bytes=${start}-${end - 1}` }, bearerToken }, context);
    try {
      if (response.status >= 400) throw await explainHubStatus(reference, response, context);
      if (response.status !== 206) throw new ToolError('unavailable', `${reference.path}: the server does not serve byte ranges`);
      const bytes = await response.body.arrayBuffer();
      if (bytes.byteLength !== end - start)
        throw new ToolError('integrity', `${reference.path}: asked for ${end - start} bytes, got ${bytes.byteLength}`);
      return bytes;
    } finally {
      await response.close();
    }
  };
  return { byteLength: sizeBytes, etag, commit, slice };
}
