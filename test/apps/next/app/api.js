export const API = 'https://api.petstore.example/v1/inventory'
