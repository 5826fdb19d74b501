import { accountsPanels } from '#features/accounts/web/panels.tsx';
import { contentItemPanels, contentPanels } from '#features/content/web/panels.tsx';
import { dashboardPanels } from '#features/dashboard/web/panels.tsx';
import { importsPanels } from '#features/imports/web/panels.tsx';
import { mailsPanels, mailTabs } from '#features/mails/web/panels.tsx';
import { memberItemPanels, membersPanels } from '#features/members/web/panels.tsx';
import { privacyPanels } from '#features/privacy/web/panels.tsx';
import { photoItemPanels, photosPanels, photoTabs } from '#features/shelf/web/panels.tsx';
import { sitePanels } from '#features/site/web/panels.tsx';
import { staysPanels, stayTabs } from '#features/stays/web/panels.tsx';
import type { StayTab } from '#features/stays/web/stayPage.tsx';
import { takeoverPanels } from '#features/takeover/web/panels.tsx';
import { type ItemPanel, PANEL_GROUPS, type Panel } from '#platform/web/pages.tsx';

/** The panels of all features, in the order of the menu; the first one is where the portal opens. */
export const PANELS: readonly Panel[] = [
  ...accountsPanels,
  ...contentPanels,
  ...dashboardPanels,
  ...importsPanels,
  ...mailsPanels,
  ...membersPanels,
  ...photosPanels,
  ...privacyPanels,
  ...sitePanels,
  ...staysPanels,
  ...takeoverPanels,
].sort(
  (one, other) =>
    PANEL_GROUPS.indexOf(one.group) - PANEL_GROUPS.indexOf(other.group) || one.place - other.place,
);

/** The forms of one thing, on pages of their own. */
export const ITEM_PANELS: readonly ItemPanel[] = [
  ...contentItemPanels,
  ...memberItemPanels,
  ...photoItemPanels,
];

export const STAY_TABS: readonly StayTab[] = [...stayTabs, ...mailTabs, ...photoTabs].sort(
  (one, other) => one.place - other.place,
);
