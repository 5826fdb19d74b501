import type { Access } from '#platform/server/db/open.ts';
import type { Services } from '#platform/server/services.ts';

/** What a later feature keeps of stays, and has to let go of when one is deleted. */
export interface StayFollower {
  /**
   * Erases what belongs to a stay that is held and will be deleted in this transaction. `note` writes the erasures down;
   * it is the last thing that the transaction does.
   */
  erase(services: Services, transaction: Access, stageId: number): Promise<{ note(): Promise<void> }>;
  /** Ends what is still being sent to a stay that is held and holds nothing of it yet. */
  endUploads(services: Services, transaction: Access, stageId: number): Promise<void>;
  /** Erases the files, after the commit. */
  settle(services: Services, stageId: number): Promise<void>;
}
