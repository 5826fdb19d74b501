/** Gives the focus to the content of the page, where the focused element is gone, without scrolling. */
export function focusContent(): void {
  document.getElementById('contenu')?.focus({ preventScroll: true });
}
