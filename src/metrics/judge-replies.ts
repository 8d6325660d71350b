// What each judge of a panel said, as it is kept in the journal: the detail of a grade.
import { z } from 'zod';

const replySchema = z.strictObject({
  /** Key of the judge's model. */
  judge: z.string(),
  /** Label or points as given; null where the reply could not be read. */
  verdict: z.string().nullable(),
  /** Why there is no verdict. */
  problem: z.string().nullable(),
});
export type JudgeReply = z.infer<typeof replySchema>;

const detailSchema = z.array(replySchema);

export function writeJudgeDetail(replies: readonly JudgeReply[]): string {
  return JSON.stringify(replies);
}

/** [] for a detail that no judge wrote. */
export function readJudgeDetail(detail: string | undefined): readonly JudgeReply[] {
  if (detail === undefined || !detail.startsWith('[')) return [];
  try {
    const parsed = detailSchema.safeParse(JSON.parse(detail));
    return parsed.success ? parsed.data : [];
  } catch {
    return [];
  }
}
