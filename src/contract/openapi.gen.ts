// Made from spec/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List inventory
         * @description Returns current stock levels for all pets in the store, one entry per tracked pet.
         */
        get: operations["listInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inventory/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update stock level
         * @description Sets the stock quantity of one pet. Only `quantity` changes; no rule links it to `status`.
         *
         *     1. When the body lacks `quantity` or holds an invalid value, then the response is 400.
         *     2. When no valid bearer key is sent, then the response is 401.
         *     3. When the pet identified by `petId` cannot be found, then the response is 404.
         *     4. On success the response is the InventoryItem of that pet, carrying the updated quantity.
         */
        patch: operations["updateInventory"];
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a pet (not specified)
         * @deprecated
         * @description Named only: parameters and responses are not shown. Deprecated, with a sunset date; the date is not shown.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders (not specified)
         * @description Named only: parameters and responses are not shown.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The stock of one pet.
         * @example {
         *       "petId": 1,
         *       "quantity": 12,
         *       "status": "available"
         *     }
         */
        InventoryItem: {
            /**
             * Format: int64
             * @description ID of the animal this entry tracks.
             */
            petId: number;
            /** @description Current stock count. Minimum, maximum and sign are not shown. */
            quantity: number;
            status: components["schemas"]["PetStatus"];
        };
        /**
         * @description The body of a stock update.
         * @example {
         *       "quantity": 20
         *     }
         */
        InventoryUpdate: {
            /** @description The new stock count. Minimum, maximum and sign are not shown. */
            quantity: number;
        };
        /**
         * @description Status of the pet. Which transitions are allowed is not shown.
         *
         *     | State | Meaning |
         *     | --- | --- |
         *     | available | allowed value of PetStatus |
         *     | pending | allowed value of PetStatus |
         *     | sold | allowed value of PetStatus |
         * @example available
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /**
         * @description The body of every error response.
         *
         *     | HTTP status | Applies to | Meaning |
         *     | --- | --- | --- |
         *     | 400 | updateInventory | The request body is missing required fields or contains invalid values |
         *     | 401 | both inventory operations | Missing or invalid API key |
         *     | 404 | updateInventory | The requested resource could not be found |
         * @example {
         *       "code": "unauthorized",
         *       "message": "API key is missing or invalid",
         *       "status": 401
         *     }
         */
        Error: {
            /** @description Machine-readable error code. The set of values is not shown. */
            code: string;
            /** @description Human-readable description. */
            message: string;
            /** @description The HTTP status code, repeated. */
            status: number;
        };
    };
    responses: {
        /** @description The request body is missing required fields or contains invalid values. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requested resource could not be found. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not shown, except that the body is JSON. */
        NotShown: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInventory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stock levels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryItem"][];
                };
            };
            401: components["responses"]["Unauthorized"];
        };
    };
    updateInventory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the pet whose stock is updated. */
                petId: number;
            };
            cookie?: never;
        };
        /** @description The new stock count. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["InventoryUpdate"];
            };
        };
        responses: {
            /** @description The updated entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventoryItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The pet. Its type is not shown.
                 * @example 1
                 */
                petId: unknown;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            "2XX": components["responses"]["NotShown"];
            default: components["responses"]["NotShown"];
        };
    };
    listOrders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            401: components["responses"]["Unauthorized"];
            "2XX": components["responses"]["NotShown"];
            default: components["responses"]["NotShown"];
        };
    };
}
