import { countsAreTrue, dryRunIsTheRun } from './invariants/counts.ts';
import {
  everyRowIsCreatedOnce,
  nobodyIsBroughtBack,
  nobodyIsTakenOverUnasked,
} from './invariants/created.ts';
import { editsAreKept, nobodyIsChangedUnseen } from './invariants/edits.ts';
import { messagesOnlyWhereTheFileSaysSo, noMessages } from './invariants/messages.ts';
import { nothingIsSent } from './invariants/sent.ts';
import { calmEndsWell, exitZeroIsTrue } from './invariants/truth.ts';
import { onlyTheChosenAreGone, undoDeletesOnlyWhatIsNew, undoIsExactOrSaysSo } from './invariants/undo.ts';
import { nobodyIsGoneUntold, nothingUnsentChangesUntold } from './invariants/unsent.ts';

/** What every push must keep, judged by what the service holds. */
export const OF_PUSHES = {
  messagesOnlyWhereTheFileSaysSo,
  nothingUnsentChangesUntold,
  nobodyIsGoneUntold,
  nobodyIsChangedUnseen,
  editsAreKept,
  everyRowIsCreatedOnce,
  nobodyIsBroughtBack,
  nobodyIsTakenOverUnasked,
  exitZeroIsTrue,
  calmEndsWell,
  countsAreTrue,
  dryRunIsTheRun,
};

/** What even a push that was killed must keep: nobody has read what it said. */
export const OF_KILLED = { messagesOnlyWhereTheFileSaysSo, editsAreKept };
export const OF_DRY_RUNS = { nothingIsSent };
export const OF_UNDOS = { noMessages, undoDeletesOnlyWhatIsNew, undoIsExactOrSaysSo };
export const OF_DELETES = { noMessages, onlyTheChosenAreGone };
