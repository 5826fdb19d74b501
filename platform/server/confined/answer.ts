/** Answers each task that the site sends to this process. */
export function answerTasks<Task>(run: (task: Task) => Promise<object>): void {
  // The site has ended, perhaps killed: nobody waits for an answer, and nobody needs to know that it cannot be sent.
  process.on('disconnect', () => process.exit());
  process.on('message', async (task) => process.send?.(await run(task as Task), () => {}));
}
