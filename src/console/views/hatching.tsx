/** The pattern `url(#hatching)`, which tells marks apart where the reader's own colours take the place of the page's. */
export function Hatching() {
  return (
    <svg class="hatching" width="0" height="0" aria-hidden="true">
      <pattern id="hatching" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <path d="M0 0h2v4H0z" />
      </pattern>
    </svg>
  )
}
