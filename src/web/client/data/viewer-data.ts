// What pages ask for, whoever answers: the live server, or the files of an exported site.
import type { RunFilter } from '../../../report/viewer/filter-runs.ts';
import type {
  ComparisonView,
  FlipsPage,
  LeaderboardEntry,
  PromptView,
  RunDetail,
  RunRow,
  RunsPage,
  SampleDetail,
  SampleQuery,
  SamplesPage,
  TrainingView,
} from '../../../report/viewer/viewer-contract.ts';

export interface FlipsRequest {
  readonly task: string;
  readonly leftRun: string;
  readonly leftModel: string;
  readonly rightRun: string;
  readonly rightModel: string;
  readonly direction: 'gained' | 'lost' | 'both';
  readonly offset: number;
  readonly limit: number;
}
export type SampleFilterQuery = Omit<SampleQuery, 'offset' | 'limit'>;

export interface ViewerData {
  /** False in an exported site: nothing changes there, and nothing can be changed. */
  readonly isLive: boolean;
  readonly listRuns: (filter: RunFilter, offset: number, limit: number) => Promise<RunsPage>;
  readonly runDetail: (id: string) => Promise<RunDetail>;
  readonly samples: (id: string, query: SampleQuery) => Promise<SamplesPage>;
  readonly sample: (id: string, slot: number, query: SampleFilterQuery) => Promise<SampleDetail>;
  readonly prompt: (id: string, slot: number) => Promise<PromptView>;
  readonly compare: (ids: readonly string[], baseline: string | undefined) => Promise<ComparisonView>;
  readonly flips: (request: FlipsRequest) => Promise<FlipsPage>;
  readonly leaderboard: () => Promise<readonly LeaderboardEntry[]>;
  readonly training: () => Promise<readonly TrainingView[]>;
  readonly setNotes: (id: string, change: { readonly name?: string | null; readonly tags?: readonly string[] }) => Promise<RunRow>;
  readonly remove: (id: string) => Promise<void>;
  readonly restore: (id: string) => Promise<void>;
}
