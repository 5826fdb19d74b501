type Count = bigint | undefined;

interface Statement {
  executeTakeFirstOrThrow(): Promise<{
    numDeletedRows?: Count;
    numUpdatedRows?: Count;
    numInsertedOrUpdatedRows?: Count;
  }>;
}

/** Runs a statement that changes rows; returns how many it changed. */
export async function countChanged(statement: Statement): Promise<number> {
  const result = await statement.executeTakeFirstOrThrow();
  return Number(result.numDeletedRows ?? result.numUpdatedRows ?? result.numInsertedOrUpdatedRows ?? 0);
}

/** Like `countChanged`: whether it changed any. */
export async function hasChanged(statement: Statement): Promise<boolean> {
  return (await countChanged(statement)) > 0;
}
