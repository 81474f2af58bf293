import { Link } from './link.js';

/** The buttons at the end of a form; the second one leaves it as it is. */
export function FormButtons({ action, back }: { action: string; back: string }) {
  return (
    <div class="buttons start">
      <button class="button main" type="submit">
        {action}
      </button>
      <Link class="button" to={back}>
        Cancel
      </Link>
    </div>
  );
}
