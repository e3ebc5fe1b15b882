// A client whose package has one path, and types of its own, for each table.
package main

//go:generate go tool oapi-codegen -generate types,client -package shop -o shop/shop.go description.yaml

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"example.com/shop/pertable/shop"
)

func main() {
	log.SetFlags(0)
	ctx := context.Background()
	client, err := shop.NewClientWithResponses(os.Getenv("BASE_URL"))
	check(err)

	rejected, err := client.AuthWithPasswordUsersWithResponse(ctx, nil, shop.AuthWithPasswordUsersJSONRequestBody{
		Identity: "ann", Password: "wrong",
	})
	check(err)
	fmt.Println("rejected:", rejected.JSON400.Status, len(rejected.JSON400.Message) > 0)

	signIn, err := client.AuthWithPasswordUsersWithResponse(ctx, nil, shop.AuthWithPasswordUsersJSONRequestBody{
		Identity: "ann@example.com", Password: "secret1234",
	})
	check(err)
	session := found(signIn.JSON200, signIn.Body)
	fmt.Println(session.Record.Email, session.Record.Role)
	asAnn := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", session.Token)
		return nil
	}

	filter, sort, expand, perPage := `tags:each ?= "sale" && price > 10`, "-price", "categories", 3
	list, err := client.ListProductsRecordsWithResponse(ctx, &shop.ListProductsRecordsParams{
		Filter: &filter, Sort: &sort, Expand: &expand, PerPage: &perPage,
	})
	check(err)
	page := found(list.JSON200, list.Body)
	fmt.Println("list:", page.TotalItems, "in", page.TotalPages)
	for _, product := range page.Items {
		var price float64 = product.Price
		fmt.Println(product.Title, price, product.Tags, (*product.Expand.Categories)[0].Name)
	}

	create, err := client.CreateOrdersRecordWithResponse(ctx, nil, shop.OrdersCreate{
		Customer: session.Record.Id, State: "open", Accepted: true,
	}, asAnn)
	check(err)
	order := found(create.JSON200, create.Body)
	fmt.Println(order.CollectionName, len(order.Code))

	var item, raise shop.SubRequest
	check(item.FromOrderItemsCreateEntry(shop.OrderItemsCreateEntry{
		Method: "POST",
		Url:    "/api/v1/collections/order_items/records",
		Body:   shop.OrderItemsCreate{Order: order.Id, Product: page.Items[0].Id, Count: 2},
	}))
	total := 21.0
	check(raise.FromOrdersUpdateEntry(shop.OrdersUpdateEntry{
		Method: "PATCH",
		Url:    "/api/v1/collections/orders/records/" + order.Id,
		Body:   shop.OrdersUpdate{TotalPlus: &total},
	}))
	batch, err := client.BatchWithResponse(ctx, nil, shop.BatchRequest{
		Requests: []shop.SubRequest{item, raise},
	}, asAnn)
	check(err)
	for _, entry := range *found(batch.JSON200, batch.Body) {
		write, err := entry.AsBatchWrite()
		check(err)
		record, err := write.Body.ValueByDiscriminator()
		check(err)
		switch record := record.(type) {
		case shop.OrderItemsRecord:
			fmt.Println("count:", record.Count)
		case shop.OrdersRecord:
			fmt.Println("total:", record.Total)
		default:
			log.Fatalf("a record of another type: %T", record)
		}
	}

	nowhere, err := client.ViewProductsRecordWithResponse(ctx, "nowhere", nil)
	check(err)
	fmt.Println("not found:", nowhere.JSON404.Status)
	invalid, err := client.UpdateUsersRecordWithResponse(ctx, session.Record.Id, nil, shop.UsersUpdate{
		Username: pointer("NOT GOOD"),
	}, asAnn)
	check(err)
	fmt.Println("invalid:", strings.Contains(string(invalid.Body), "validation_invalid_format"))
}

func pointer[T any](value T) *T { return &value }

func found[T any](value *T, body []byte) *T {
	if value == nil {
		log.Fatalf("another response: %s", body)
	}
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
