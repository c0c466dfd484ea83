interface Press {
  button: HTMLButtonElement;
  /** Its position when the press began. */
  place: DOMRect;
}

/**
 * A press that ends where it began clicks the button that was there at the start. Pressing a button blurs a field,
 * which may grow by an error line: browsers would then click whatever has moved under the pointer.
 */
export function keepPresses(): void {
  let press: Press | undefined;
  const begin = ({ target }: PointerEvent) => {
    const button = target instanceof Element ? target.closest('button') : null;
    press = button ? { button, place: button.getBoundingClientRect() } : undefined;
  };
  const end = (event: MouseEvent) => {
    const pressed = press;
    press = undefined;
    if (!pressed || event.detail === 0 || pressed.button.contains(event.target as Node)) return;
    const { left, right, top, bottom } = pressed.place;
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) return;
    event.preventDefault();
    event.stopPropagation();
    pressed.button.click();
  };
  document.addEventListener('pointerdown', begin, true);
  document.addEventListener('click', end, true);
}
