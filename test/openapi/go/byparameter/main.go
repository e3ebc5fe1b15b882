// A client whose package has one set of paths for all tables: each record says of which it is.
package main

//go:generate go tool oapi-codegen -generate types,client -package shop -o shop/shop.go description.yaml

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.com/shop/byparameter/shop"
)

func main() {
	log.SetFlags(0)
	ctx := context.Background()
	client, err := shop.NewClientWithResponses(os.Getenv("BASE_URL"))
	check(err)
	perPage := 1
	list, err := client.ListRecordsWithResponse(ctx, "products", &shop.ListRecordsParams{PerPage: &perPage})
	check(err)
	if list.JSON200 == nil {
		log.Fatalf("another response: %s", list.Body)
	}
	for _, record := range list.JSON200.Items {
		value, err := record.ValueByDiscriminator()
		check(err)
		product, is := value.(shop.ProductsRecord)
		fmt.Println(is, product.Price)
	}
	signIn, err := client.AuthWithPasswordWithResponse(ctx, "users", nil, shop.AuthWithPasswordJSONRequestBody{
		Identity: "ann", Password: "secret1234",
	})
	check(err)
	if signIn.JSON200 == nil {
		log.Fatalf("another response: %s", signIn.Body)
	}
	fmt.Println(len(signIn.JSON200.Token) > 0)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
