/** The component: it shows how many pets are in stock. */
export function createStock() {
  const element = document.createElement('p')
  fetch('/v1/inventory', { headers: { authorization: 'Bearer demo-key' } })
    .then((response) => (response.ok ? response.json() : Promise.reject(response)))
    .then((pets) => {
      element.textContent = `${pets.reduce((sum, { quantity }) => sum + quantity, 0)} in stock`
    })
    .catch(() => {
      element.textContent = 'The stock cannot be loaded'
    })
  return element
}
