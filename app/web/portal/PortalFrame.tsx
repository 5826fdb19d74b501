import {
  CalendarDays,
  ChevronDown,
  CircleUser,
  ExternalLink,
  House,
  Images,
  LogOut,
  type LucideIcon,
  Mail,
  Menu,
  Newspaper,
  PanelLeftClose,
  PanelLeftOpen,
  Plus,
  Search,
  Settings,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useSignOut } from '#features/sending/web/unsent.tsx';
import { stayFormAddress } from '#features/stays/web/stays.ts';
import type { Right } from '#platform/shared/roles.ts';
import { PANEL_GROUPS, type Panel, type PanelGroup, rightsToOpen } from '#platform/web/pages.tsx';
import { panelAddress, useMay } from '#platform/web/portal.ts';
import { createPreference } from '#platform/web/preference.ts';
import { SiteMark, SiteName } from '#platform/web/site.tsx';
import { follow } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useDropdown } from '#platform/web/ui/useDropdown.ts';
import { PANELS } from './panels.tsx';

/* The frame of the portal: its bar, its menu, and the bar at the bottom of a phone. */

interface PortalBarProps {
  username: string;
  onSearch(): void;
}

export function PortalBar({ username, onSearch }: PortalBarProps) {
  return (
    <header className="portal-bar">
      <Link to="/portail" className="portal-mark">
        <SiteMark />
        <span className="min-w-0 max-lg:sr-only">
          <SiteName />
        </span>
      </Link>
      <button type="button" className="portal-search" onClick={onSearch}>
        <Search className="size-5 shrink-0" />
        <span className="min-w-0 truncate">Rechercher une personne, un séjour, un contenu…</span>
        <kbd className="ml-auto shrink-0 text-sm max-lg:hidden">{shortcut()}</kbd>
      </button>
      <CreateMenu />
      <Link to="/" className="bar-link max-lg:hidden">
        <ExternalLink className="size-5" />
        Voir le site
      </Link>
      <AccountMenu username={username} />
    </header>
  );
}

function shortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';
}

/** What staff create most, each with the right for it. */
const CREATED: readonly { to: string; label: string; right: Right }[] = [
  { to: panelAddress('actualite-creer'), label: 'Une actualité', right: 'contenus' },
  { to: panelAddress('evenement-creer'), label: 'Un événement', right: 'contenus' },
  { to: panelAddress('une-creer'), label: 'Un élément «\u00a0À LA UNE\u00a0»', right: 'contenus' },
  { to: panelAddress('avantage-creer'), label: 'Un avantage', right: 'contenus' },
  { to: panelAddress('document-creer'), label: 'Un compte rendu', right: 'contenus' },
  { to: stayFormAddress('nouveau'), label: 'Un séjour', right: 'sejours' },
  { to: panelAddress('employe-creer'), label: 'Un employé', right: 'contenus' },
  { to: panelAddress('familles-ecrire'), label: 'Un message aux familles', right: 'sejours' },
  { to: panelAddress('ecrire'), label: 'Un e-mail', right: 'sejours' },
];

interface BarMenuProps {
  Icon: LucideIcon;
  /** Read by screen readers alone where the bar is narrow. */
  label: string;
  children: ReactNode;
}

function BarMenu({ Icon, label, children }: BarMenuProps) {
  const menu = useDropdown<HTMLDivElement>({ opensOnHover: false });
  return (
    <div ref={menu.ref} className="relative shrink-0">
      <button type="button" className="bar-link max-w-40" {...menu.button}>
        <Icon className="size-5 shrink-0" />
        <span className="min-w-0 truncate max-lg:sr-only">{label}</span>
      </button>
      <ul id={menu.id} className={`dropdown right-0 w-60 ${menu.isOpen ? '' : 'closed'}`}>
        {children}
      </ul>
    </div>
  );
}

function BarMenuLink({ to, label }: { to: string; label: string }) {
  return (
    <li>
      <Link to={to} className="menu-link">
        {label}
      </Link>
    </li>
  );
}

function CreateMenu() {
  const may = useMay();
  const links = CREATED.filter(({ right }) => may([right]));
  if (links.length === 0) return null;
  return (
    <BarMenu Icon={Plus} label="Créer">
      {links.map(({ to, label }) => (
        <BarMenuLink key={to} to={to} label={label} />
      ))}
    </BarMenu>
  );
}

function AccountMenu({ username }: { username: string }) {
  const signOut = useSignOut();
  return (
    <BarMenu Icon={CircleUser} label={username}>
      <BarMenuLink to={panelAddress('compte')} label="Mon compte" />
      <BarMenuLink to="/" label="Voir le site" />
      <li>
        <button type="button" className="menu-link" onClick={signOut}>
          <LogOut className="size-5" />
          Déconnexion
        </button>
      </li>
    </BarMenu>
  );
}

const ICONS: Record<PanelGroup, LucideIcon> = {
  Accueil: House,
  Séjours: CalendarDays,
  Photos: Images,
  'Familles et directeurs': UsersRound,
  'E-mails': Mail,
  Contenus: Newspaper,
  Équipe: UserRound,
  'Réglages et santé': Settings,
};

/** Whether the menu shows its words, or its icons alone. */
const useMenuWidth = createPreference('menu', ['entier', 'replié'], 'entier');

interface PortalMenuProps {
  current: Panel | undefined;
  /** True for the menu of a phone, which is never folded to its icons. */
  isWhole?: boolean;
}

/** The menu: groups that unfold, the one in use unfolded. On a phone it is behind « Plus ». */
export function PortalMenu({ current, isWhole = false }: PortalMenuProps) {
  const [width, setWidth] = useMenuWidth();
  const isFolded = width === 'replié' && !isWhole;
  const FoldIcon = isFolded ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav aria-label="Panneaux du portail" className={`portal-menu ${isFolded ? 'folded' : ''}`}>
      <ul>
        {PANEL_GROUPS.map((group) => (
          <MenuGroup
            key={group}
            group={group}
            current={current}
            isFolded={isFolded}
            onUnfoldMenu={() => setWidth('entier')}
          />
        ))}
      </ul>
      {!isWhole && (
        <button
          type="button"
          className="menu-link mt-2 text-quiet"
          title={isFolded ? 'Déplier le menu' : undefined}
          onClick={() => setWidth(isFolded ? 'entier' : 'replié')}
        >
          <FoldIcon className="size-5 shrink-0" />
          <span className="menu-label">{isFolded ? 'Déplier le menu' : 'Replier le menu'}</span>
        </button>
      )}
    </nav>
  );
}

interface MenuGroupProps {
  group: PanelGroup;
  current: Panel | undefined;
  /** The menu shows icons alone; a press on the one of a group unfolds both. */
  isFolded: boolean;
  onUnfoldMenu(): void;
}

function MenuGroup({ group, current, isFolded, onUnfoldMenu }: MenuGroupProps) {
  const isCurrent = current?.group === group;
  const [isUnfolded, setUnfolded] = useState(isCurrent);
  const id = useId();
  const may = useMay();
  const panels = PANELS.filter(
    (panel) => panel.group === group && panel.within === undefined && may(rightsToOpen(panel)),
  );
  const Icon = ICONS[group];
  useEffect(() => {
    if (isCurrent) setUnfolded(true);
  }, [isCurrent]);
  const [only, ...others] = panels;
  if (!only) return null;
  // A group of one is that panel.
  if (others.length === 0)
    return (
      <li>
        <PanelLink panel={only} isCurrent={isCurrent} title={isFolded ? only.label : undefined}>
          <Icon className="size-5 shrink-0" />
          <span className="menu-label">{only.label}</span>
        </PanelLink>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        className={`menu-link ${isCurrent ? 'text-pine' : ''}`}
        title={isFolded ? group : undefined}
        aria-current={isCurrent && isFolded ? 'true' : undefined}
        aria-expanded={isUnfolded && !isFolded}
        aria-controls={id}
        onClick={({ currentTarget }) => {
          setUnfolded(isFolded || !isUnfolded);
          if (!isFolded) return;
          onUnfoldMenu();
          // The entries of the current panel unfold above it too.
          setTimeout(() => currentTarget.scrollIntoView({ block: 'nearest' }));
        }}
      >
        <Icon className="size-5 shrink-0" />
        <span className="menu-label">{group}</span>
        <ChevronDown
          className={`menu-label ml-auto size-4 shrink-0 transition-transform ${isUnfolded ? 'rotate-180' : ''}`}
        />
      </button>
      <ul
        id={id}
        aria-label={group}
        hidden={!isUnfolded || isFolded}
        className="mb-1 ml-5 border-l border-mist pl-2"
      >
        {panels.map((panel) => (
          <li key={panel.key}>
            <PanelLink panel={panel} isCurrent={panel === current}>
              {panel.label}
            </PanelLink>
          </li>
        ))}
      </ul>
    </li>
  );
}

interface PanelLinkProps {
  panel: Panel;
  isCurrent: boolean;
  title?: string | undefined;
  children: ReactNode;
}

function PanelLink({ panel, isCurrent, title, children }: PanelLinkProps) {
  return (
    <Link
      to={panelAddress(panel.key)}
      title={title}
      ref={isCurrent ? showInMenu : undefined}
      className="menu-link"
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </Link>
  );
}

/** Scrolls the menu to show a link, without scrolling the page. */
function showInMenu(link: HTMLElement | null): void {
  const menu = link?.closest<HTMLElement>('.portal-menu');
  if (!link || !menu || getComputedStyle(menu).position !== 'sticky') return;
  const { top, bottom } = link.getBoundingClientRect();
  const seen = menu.getBoundingClientRect();
  if (top < seen.top || bottom > seen.bottom) menu.scrollTop += top - seen.top - seen.height / 2;
}

/** The bar at the bottom of a phone, under the thumb; « Plus » unfolds the menu over the page. */
export function PhoneBar({ current, onSearch }: { current: Panel | undefined; onSearch(): void }) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  const { key } = useLocation();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  // A choice was made.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what tells a new place
  useEffect(() => setOpen(false), [key]);
  useEffect(() => {
    if (!isOpen) return;
    const keydown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    return follow(document, { keydown });
  }, [isOpen]);
  const link = (panel: string, label: string, Icon: LucideIcon) => (
    <Link
      to={panelAddress(panel)}
      className="phone-link"
      aria-current={current?.key === panel && !isOpen ? 'page' : undefined}
    >
      <Icon className="size-6" />
      {label}
    </Link>
  );
  return (
    <>
      <div id={id} className={`phone-menu ${isOpen ? '' : 'hidden'}`}>
        {isOpen && <PortalMenu current={current} isWhole />}
      </div>
      <nav aria-label="Portail" className="phone-bar">
        {link('accueil', 'Accueil', House)}
        {may(['sejours']) && link('sejours', 'Séjours', CalendarDays)}
        {may(['photos']) && link('photos', 'Photos', Images)}
        <button type="button" className="phone-link" onClick={onSearch}>
          <Search className="size-6" />
          Chercher
        </button>
        <button
          type="button"
          ref={button}
          className="phone-link"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <Menu className="size-6" />
          Plus
        </button>
      </nav>
    </>
  );
}
